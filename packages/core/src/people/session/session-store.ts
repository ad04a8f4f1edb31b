/** Sessions in the store: one row each. To end a session is to remove its row. */
import { sessionCounter } from '../../runtime/counts/count-name.js';
import { noteChange } from '../../runtime/counts/noted-changes.js';
import { keyspace } from '../../storage/store/keyspace.js';
import type { Entry, ReadTx, WriteTx } from '../../storage/store/store.js';
import { Subspace } from '../../storage/store/subspace.js';
import { json, number, spreadOrNull, text } from '../../storage/store/fields.js';
import { fieldsLayout, type ValueOf } from '../../storage/store/layouts.js';

const sessionLayout = fieldsLayout(1, {
  /** Tenant id of its account, or `INSTALLATION`. */
  authority: text,
  accountId: text,
  /** UUID of version 7, so that the order of ids is the order of logins. */
  id: text,
  /** `jwt`: access tokens and a refresh token; `opaque`: one token that is looked up. */
  kind: json<'jwt' | 'opaque'>(),
  /** Keyed digest of the refresh token, or of the opaque token. */
  verifier: text,
  /** The revision of a credential that the session depends on. */
  pinned: spreadOrNull({ credentialId: text, revision: number }, [null, 0]),
  createdAtMillis: number,
  /** When the chain of refreshes ends, or the opaque token. */
  expiresAtMillis: number,
  lastUsedMillis: number,
});

/** A session of an account. */
export type StoredSession = ValueOf<typeof sessionLayout>;

/** The revision of a credential that a session depends on. */
export type PinnedCredential = NonNullable<StoredSession['pinned']>;

const sessions = new Subspace(keyspace.sessions, sessionLayout, {
  remember: true,
  committedFor: ({ authority }) => authority,
});

/** The subspace of sessions, by its name in the key space. */
export const sessionSubspaces = { sessions };

/** Returns a session of an account, also an expired one, or `undefined`. */
export function findSession(
  tx: ReadTx,
  authority: string,
  accountId: string,
  sessionId: string,
): StoredSession | undefined {
  return sessions.get(tx, authority, accountId, sessionId);
}

/** Returns all sessions of an account in order of login, expired ones too. */
export function sessionsOf(tx: ReadTx, authority: string, accountId: string): StoredSession[] {
  return sessions.values(tx, authority, { prefix: [accountId] });
}

/** Returns when a session ends, in Unix milliseconds; `undefined` if it is damaged. */
export function endOfSession({ key, value }: Entry): number | undefined {
  return sessions.openIfReadable(key, value)?.expiresAtMillis;
}

/** Stores a new or changed session. */
export function putSession(tx: WriteTx, session: StoredSession): void {
  const { authority, accountId, id } = session;
  const before = findSession(tx, authority, accountId, id);
  const key = sessions.put(tx, session, authority, accountId, id);
  noteSession(tx, before, -1, key);
  noteSession(tx, session, 1, key);
}

/** Ends a session. */
export function removeSession(
  tx: WriteTx,
  { authority, accountId, id }: Pick<StoredSession, 'authority' | 'accountId' | 'id'>,
): void {
  const key = sessions.keyOf(authority, accountId, id);
  noteSession(tx, findSession(tx, authority, accountId, id), -1, key);
  tx.remove(key);
}

/** Ends every session of an account. Returns how many there were. */
export function removeSessions(tx: WriteTx, authority: string, accountId: string): number {
  const all = sessionsOf(tx, authority, accountId);
  for (const session of all) removeSession(tx, session);
  return all.length;
}

function noteSession(
  tx: WriteTx,
  session: StoredSession | undefined,
  by: number,
  key: Uint8Array,
): void {
  if (session !== undefined) noteChange(tx, sessionCounter(session.expiresAtMillis), by, key);
}
