/**
 * Whether a session still counts: its row, its account and the credential behind it, as they are
 * stored.
 * @module
 */
import type { ActingCredential } from '../access/principal.js';
import { boundCredential, isBindingLive } from '../account/account-principal.js';
import { findAccount, isActiveAccount, type StoredAccount } from '../account/account-store.js';
import type { ReadTx } from '../store/store.js';
import { isLiveSession } from './session-policy.js';
import { findSession, type StoredSession } from './session-store.js';

/** Where a session is stored. */
export interface SessionPlace {
  /** Tenant part of the keys of its account. */
  readonly authority: string;
  readonly accountId: string;
  readonly sessionId: string;
}

/** A session that counts, and whose it is. */
export interface LiveSession {
  readonly account: StoredAccount;
  readonly credential: ActingCredential | null;
  readonly session: StoredSession;
}

/**
 * The session at a place, if nothing has ended it: its own end, a change of the account, or one of
 * its credential.
 */
export function findLiveSession(
  tx: ReadTx,
  { authority, accountId, sessionId }: SessionPlace,
  nowMs: number,
): LiveSession | undefined {
  const account = findAccount(tx, authority, accountId);
  const session = findSession(tx, authority, accountId, sessionId);
  if (account === undefined || session === undefined || !isActiveAccount(account)) return undefined;
  const credential = boundCredential(tx, account);
  if (!isBindingLive(account, credential, nowMs)) return undefined;
  const bound =
    credential === null ? null : { credentialId: credential.id, revision: credential.revision };
  return isLiveSession(session, bound, nowMs) ? { account, credential, session } : undefined;
}
