/** Sessions in the store: one row each. To end a session is to remove its row. */
import { noteChange, sessionCounter } from '../../../kernel/counts/counts.js';
import { type Counted, defineFamily, indexOf } from '../../../storage/store/family.js';
import type { Entry, ReadTx, WriteTx } from '../../../storage/store/store.js';
import { sha256 } from '../../../contract/digest.js';
import {
  addedLast,
  fieldsLayout,
  json,
  jsonLayout,
  number,
  spreadOrNull,
  text,
  type ValueOf,
} from '../../../storage/store/fields.js';

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
  /** The URL of the issuer that vouched for its person, and the id of the session there. */
  signIn: addedLast<{ readonly issuer: string; readonly sid: string | null }>(),
});

/** A session of an account. */
export type StoredSession = ValueOf<typeof sessionLayout>;

/** The revision of a credential that a session depends on. */
export type PinnedCredential = NonNullable<StoredSession['pinned']>;

/** Sessions, by account id and session id. */
export const sessions = defineFamily({
  name: 'sessions',
  number: 19,
  key: ['uuid', 'uuid'],
  layout: sessionLayout,
  sealedBy: 'tenant',
  owner: 'account',
  exported: { not: 'secret' },
  erased: 'removed',
  counts: countSession,
  remember: true,
  committedFor: ({ authority }) => authority,
});

/** Sessions by the digest of issuer and `sid`: account id, session id. */
export const signInSessions = defineFamily({
  name: 'signInSessions',
  number: 102,
  key: ['digest', 'uuid', 'uuid'],
  layout: jsonLayout<readonly [string, string]>(1),
  sealedBy: null,
  owner: 'value',
  accountIn: ([accountId]: readonly [string, string]) => accountId,
  exported: 'derived',
  erased: 'derived',
  counts: null,
  derived: indexOf(sessions),
});

/** Most sessions that one session of an issuer is looked up for. */
const SESSIONS_OF_SID_MAX = 64;

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

/** Returns the sessions that a session of an issuer opened, expired ones too. */
export function sessionsOfSid(
  tx: ReadTx,
  authority: string,
  issuer: string,
  sid: string,
): StoredSession[] {
  const span = { prefix: [sidDigest(issuer, sid)] as [Uint8Array], limit: SESSIONS_OF_SID_MAX };
  return signInSessions.values(tx, authority, span).flatMap(([accountId, sessionId]) => {
    const session = findSession(tx, authority, accountId, sessionId);
    return session === undefined ? [] : [session];
  });
}

/** Returns when a session ends, in Unix milliseconds; `undefined` if it is damaged. */
export function endOfSession({ key, value }: Entry): number | undefined {
  return sessions.openIfReadable(key, value)?.expiresAtMillis;
}

function countSession(entry: Entry): Counted | undefined {
  const endsAtMillis = endOfSession(entry);
  return endsAtMillis === undefined ? undefined : { name: sessionCounter(endsAtMillis), by: 1 };
}

/** Stores a new or changed session. */
export function putSession(tx: WriteTx, session: StoredSession): void {
  const { authority, accountId, id } = session;
  const before = findSession(tx, authority, accountId, id);
  const key = sessions.put(tx, session, authority, accountId, id);
  noteSession(tx, before, -1, key);
  noteSession(tx, session, 1, key);
  const sidKey = sidKeyOf(session);
  if (before === undefined && sidKey !== undefined) {
    signInSessions.put(tx, [accountId, id], authority, ...sidKey);
  }
}

/** Ends a session. */
export function removeSession(
  tx: WriteTx,
  { authority, accountId, id }: Pick<StoredSession, 'authority' | 'accountId' | 'id'>,
): void {
  const key = sessions.keyOf(authority, accountId, id);
  const session = findSession(tx, authority, accountId, id);
  noteSession(tx, session, -1, key);
  tx.remove(key);
  const sidKey = session && sidKeyOf(session);
  if (sidKey !== undefined) tx.remove(signInSessions.keyOf(authority, ...sidKey));
}

/** Ends every session of an account. Returns how many there were. */
export function removeSessions(tx: WriteTx, authority: string, accountId: string): number {
  const all = sessionsOf(tx, authority, accountId);
  for (const session of all) removeSession(tx, session);
  return all.length;
}

function sidKeyOf({
  accountId,
  id,
  signIn,
}: StoredSession): [Uint8Array, string, string] | undefined {
  if (signIn === null || signIn.sid === null) return undefined;
  return [sidDigest(signIn.issuer, signIn.sid), accountId, id];
}

function sidDigest(issuer: string, sid: string): Uint8Array {
  return sha256(JSON.stringify([issuer, sid]));
}

function noteSession(
  tx: WriteTx,
  session: StoredSession | undefined,
  by: number,
  key: Uint8Array,
): void {
  if (session !== undefined) noteChange(tx, sessionCounter(session.expiresAtMillis), by, key);
}
