/** Opens and ends sessions. */
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { SESSION_IDLE_SECONDS_MAX, SESSION_IDLE_SECONDS_MIN } from '../../../contract/limits.js';
import { keyOfAuthority } from '../../../kernel/access/principal.js';
import type { InputSchemas } from '../../../kernel/input/input-rules.js';
import type { AccountRequest } from '../../../kernel/operation/requests.js';
import type { WriteTx } from '../../../storage/store/store.js';
import { putLastLogin } from '../account/account-store.js';
import type { AccountLogin } from './find-login.js';
import { loggedOut } from './session-events.js';
import { pinOf, sessionsThatGiveWay } from './session-policy.js';
import { putSession, removeSession, sessionsOf, type StoredSession } from './session-store.js';

/** The parts of a session that are prepared before the transaction. */
export type SessionDraft = Pick<StoredSession, 'id' | 'kind' | 'verifier'> & {
  /** Longest lifetime in milliseconds. */
  readonly lifeMs: number;
  /** Default: it was opened with a password. */
  readonly signIn?: StoredSession['signIn'];
};

/** Stores a session and the time of the login. The oldest sessions beyond the bound end. */
export function openSession(
  tx: WriteTx,
  { account, credential }: Pick<AccountLogin, 'account' | 'credential'>,
  { lifeMs, signIn = null, ...draft }: SessionDraft,
  nowMs: number,
): StoredSession {
  const { authority, id: accountId } = account;
  const pinned = pinOf(credential);
  const session: StoredSession = {
    ...draft,
    authority,
    accountId,
    pinned,
    createdAtMillis: nowMs,
    expiresAtMillis: nowMs + lifeMs,
    lastUsedMillis: nowMs,
    signIn,
  };
  const others = sessionsOf(tx, authority, accountId);
  for (const each of sessionsThatGiveWay(others, draft.kind, pinned, nowMs)) {
    removeSession(tx, each);
  }
  putSession(tx, session);
  putLastLogin(tx, account, nowMs);
  return session;
}

/**
 * Ends the session with all its tokens.
 *
 * @throws {AgentkeepError} `unauthorized` when it has ended since the call began.
 */
export function endSession(request: AccountRequest<InputSchemas>): Promise<void> {
  return request.runtime.store.transact((tx) => {
    const caller = request.confirm(tx);
    if (caller.kind !== 'account' || caller.presence.kind !== 'session') {
      throw new AgentkeepError('unauthorized');
    }
    const { sessionId: id } = caller.presence;
    removeSession(tx, {
      authority: keyOfAuthority(caller.authority),
      accountId: caller.id,
      id,
    });
    request.record(tx, loggedOut(id));
  });
}

/** Options of sessions. */
export interface SessionOptions {
  /** Seconds without use after which a session with access tokens ends, 60 to 86,400; 0: never. */
  readonly idleSeconds?: number;
}

/**
 * Returns the idle limit in milliseconds; 0 for no limit.
 *
 * @throws {TypeError} when it is out of range.
 */
export function idleLimitMs({ idleSeconds = 0 }: SessionOptions): number {
  const [min, max] = [SESSION_IDLE_SECONDS_MIN, SESSION_IDLE_SECONDS_MAX];
  const isWithin = idleSeconds === 0 || (idleSeconds >= min && idleSeconds <= max);
  if (Number.isSafeInteger(idleSeconds) && isWithin) return idleSeconds * 1_000;
  throw new TypeError(`sessions.idleSeconds must be 0 or an integer from ${min} to ${max}.`);
}
