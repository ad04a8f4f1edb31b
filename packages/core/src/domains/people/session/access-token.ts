/** The access tokens of a session. */
import { randomUuid } from '../../../kernel/ports/ids.js';
import { tenantIdOf } from '../../../kernel/access/principal.js';
import type { StoredAccount } from '../account/stored-account.js';
import type { Runtime } from '../../../kernel/services/runtime.js';
import type { IssuedToken } from '../../../kernel/ports/tokens.js';
import type { StoredSession } from './session-store.js';

/** A session and its account, as read at a time. */
export interface SessionState {
  readonly account: StoredAccount;
  readonly session: StoredSession;
  /** Unix milliseconds. */
  readonly nowMs: number;
}

/** Signs an access token with the current state of the account. */
export function issueAccessToken(
  { tokens }: Pick<Runtime, 'tokens'>,
  { account, session, nowMs }: SessionState,
  jti: string,
): Promise<IssuedToken> {
  const claims = {
    accountId: account.id,
    tenantId: tenantIdOf(account.authority),
    username: account.username,
    roles: account.roles,
    sessionId: session.id,
    jti,
    bound: session.pinned,
  };
  return tokens.issue(claims, nowMs, session.expiresAtMillis);
}

/** Makes a token id. */
export function newTokenId({ entropy }: Pick<Runtime, 'entropy'>): string {
  return randomUuid(entropy);
}

/** Returns the whole seconds until a session ends. */
export function secondsLeft({ session, nowMs }: SessionState): number {
  return Math.max(0, Math.floor((session.expiresAtMillis - nowMs) / 1_000));
}
