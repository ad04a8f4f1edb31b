/** The interface of a transport. */
import type { Keep, OperationName } from '@agentkeep/core';
import type { Answer, Parts } from './answer.js';

/** Makes one call; without a token it sends no proof. */
export type Transport = <N extends OperationName>(
  name: N,
  token: string | undefined,
  parts: Parts,
) => Promise<Answer<N>>;

/** A transport with its name. */
export interface Driver {
  readonly name: string;
  open(keep: Keep): Transport;
}

/** Whether a token is sent as an API key rather than a Bearer token. */
export function isApiKey(token: string): boolean {
  return token.startsWith('ak_live_');
}
