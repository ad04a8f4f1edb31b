/**
 * Sessions in the store: one row each, so that whatever ends a session removes a row.
 *
 * @module
 */
import { sessionCounter } from '../../runtime/counts/count-name.js';
import { noteChange } from '../../runtime/counts/noted-changes.js';
import { keyspace } from '../../storage/store/keyspace.js';
import type { Entry, ReadTx, WriteTx } from '../../storage/store/store.js';
import { Subspace } from '../../storage/store/subspace.js';
import { fieldsLayout, readable } from '../../storage/store/value.js';

/** The revision of a credential that a session holds on to. */
export interface PinnedCredential {
  readonly credentialId: string;
  readonly revision: number;
}

/** A session of an account. */
export interface StoredSession {
  /** Tenant part of the keys of its account. */
  readonly authority: string;
  readonly accountId: string;
  /** UUID of version 7, so that order of ids is order of logins. */
  readonly id: string;
  /** `jwt`: access tokens and a refresh token; `opaque`: one token that is looked up. */
  readonly kind: 'jwt' | 'opaque';
  /** Keyed digest of the refresh token, or of the opaque token. */
  readonly verifier: string;
  readonly pinned: PinnedCredential | null;
  readonly createdAtMillis: number;
  /** Dead from then on: the end of the chain of refreshes, or of the opaque token. */
  readonly expiresAtMillis: number;
  readonly lastUsedMillis: number;
}

type Fields = [
  authority: string,
  accountId: string,
  id: string,
  kind: 'jwt' | 'opaque',
  verifier: string,
  credentialId: string | null,
  credentialRevision: number,
  createdAtMillis: number,
  expiresAtMillis: number,
  lastUsedMillis: number,
];

const sessions = new Subspace(
  keyspace.sessions,
  fieldsLayout<StoredSession, Fields>(
    1,
    (it) => [
      it.authority,
      it.accountId,
      it.id,
      it.kind,
      it.verifier,
      it.pinned?.credentialId ?? null,
      it.pinned?.revision ?? 0,
      it.createdAtMillis,
      it.expiresAtMillis,
      it.lastUsedMillis,
    ],
    ([
      authority,
      accountId,
      id,
      kind,
      verifier,
      credentialId,
      revision,
      created,
      expires,
      used,
    ]) => ({
      authority,
      accountId,
      id,
      kind,
      verifier,
      pinned: credentialId === null ? null : { credentialId, revision },
      createdAtMillis: created,
      expiresAtMillis: expires,
      lastUsedMillis: used,
    }),
  ),
  { remember: true },
);

/** The subspace of sessions, by its name in the key space. */
export const sessionSubspaces = { sessions };

/** A session of an account, expired ones too. */
export function findSession(
  tx: ReadTx,
  authority: string,
  accountId: string,
  sessionId: string,
): StoredSession | undefined {
  return sessions.get(tx, authority, accountId, sessionId);
}

/** All sessions of an account in order of login, expired ones too. */
export function sessionsOf(tx: ReadTx, authority: string, accountId: string): StoredSession[] {
  return [...sessions.rows(tx, authority, { prefix: [accountId] })].map(({ value }) => value);
}

/** When a stored session ends, in Unix milliseconds; `undefined` if it is damaged. */
export function endOfSession({ key, value }: Entry): number | undefined {
  return readable(() => sessions.open(key, value))?.expiresAtMillis;
}

/** Stores a session, new or changed. */
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

/** Ends every session of an account; tells how many rows there were. */
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
