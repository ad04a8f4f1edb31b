/**
 * What a way in is.
 * @module
 */
import type { Keep, OperationName } from '@agentkeep/core';
import type { Answer, Parts } from './answer.js';

/** Makes one call; without a token it carries no proof. */
export type Transport = <N extends OperationName>(
  name: N,
  token: string | undefined,
  parts: Parts,
) => Promise<Answer<N>>;

/** A way in. */
export interface Driver {
  readonly name: string;
  open(keep: Keep): Transport;
}

/** Whether a token is sent as an API key, and not as a Bearer token. */
export function isApiKey(token: string): boolean {
  return token.startsWith('ak_live_');
}
