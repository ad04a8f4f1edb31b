/** Opens a session in the transaction of its login. */
import { putLastLogin } from '../account/account-store.js';
import type { WriteTx } from '../../../storage/store/store.js';
import type { AccountLogin } from './find-login.js';
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
