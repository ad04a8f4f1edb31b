/**
 * The revocation list: token ids that are refused until the token would have expired anyway.
 * @module
 */
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import { INSTALLATION, keyspace } from '../../storage/store/keyspace.js';
import type { ReadTx, WriteTx } from '../../storage/store/store.js';
import { Subspace } from '../../storage/store/subspace.js';
import { fieldsLayout } from '../../storage/store/value.js';

/** A token that was revoked. */
export interface RevokedToken {
  readonly jti: string;
  readonly accountId: string;
  readonly username: string;
  readonly revokedAtMillis: number;
  /** When the token itself expires; the entry is of no use from then on. */
  readonly expiresAtMillis: number;
  readonly reason: string;
}

type RevokedFields = [
  jti: string,
  accountId: string,
  username: string,
  revokedAtMillis: number,
  expiresAtMillis: number,
  reason: string,
];

type Place = readonly [accountId: string, jti: string];

const revokedTokens = new Subspace(
  keyspace.revokedTokens,
  fieldsLayout<RevokedToken, RevokedFields>(
    1,
    (it) => [it.jti, it.accountId, it.username, it.revokedAtMillis, it.expiresAtMillis, it.reason],
    ([jti, accountId, username, revokedAtMillis, expiresAtMillis, reason]) => ({
      jti,
      accountId,
      username,
      revokedAtMillis,
      expiresAtMillis,
      reason,
    }),
  ),
);

const expiries = new Subspace(
  keyspace.revocationExpiries,
  fieldsLayout<Place, Place>(
    1,
    (place) => place,
    (place) => place,
  ),
);

/** The subspaces of revocations, by their names in the key space. */
export const revocationSubspaces = { revokedTokens, revocationExpiries: expiries };

/**
 * Whether a token was revoked: one point read.
 * @throws {AgentkeepError} `storage_inconsistency` when the entry does not verify.
 */
export function isRevoked(tx: ReadTx, accountId: string, jti: string): boolean {
  return revokedTokens.get(tx, INSTALLATION, accountId, jti) !== undefined;
}

/** Enters a token into the list; false if it is there already, and then nothing changes. */
export function addRevocation(tx: WriteTx, revoked: RevokedToken): boolean {
  const { accountId, jti, expiresAtMillis } = revoked;
  if (isRevoked(tx, accountId, jti)) return false;
  revokedTokens.put(tx, revoked, INSTALLATION, accountId, jti);
  expiries.put(tx, [accountId, jti], INSTALLATION, expiresAtMillis, accountId, jti);
  return true;
}

/** How many tokens of an account are revoked and not expired. */
export function countRevocations(tx: ReadTx, accountId: string, nowMs: number): number {
  let count = 0;
  for (const { value } of revokedTokens.rows(tx, INSTALLATION, { prefix: [accountId] })) {
    if (nowMs < value.expiresAtMillis) count += 1;
  }
  return count;
}

/**
 * Removes at most so many entries of tokens that have expired; gives back how many there were.
 * @throws {AgentkeepError} `storage_inconsistency` when one does not verify.
 */
export function removeExpiredRevocations(tx: WriteTx, nowMs: number, max: number): number {
  // The store is not touched while a range is open, so what to remove is gathered first.
  const rows = expiries.rows(tx, INSTALLATION, {
    prefix: [],
    before: [Math.max(0, nowMs + 1)],
    limit: max,
  });
  const expired = Array.from(rows, ({ key, value }) => ({ key: Buffer.from(key), place: value }));
  for (const { key, place } of expired) {
    tx.remove(key);
    tx.remove(revokedTokens.keyOf(INSTALLATION, ...place));
  }
  return expired.length;
}

/**
 * Reads the next entries of the list behind a place, at most so many, and gives back the place to
 * go on from, or `undefined` at the end.
 * @throws {AgentkeepError} `storage_inconsistency` when one does not verify or would never go.
 */
export function checkRevocations(
  tx: ReadTx,
  after: Place | undefined,
  max: number,
): Place | undefined {
  const from = after === undefined ? {} : { after: [...after] as [string, string] };
  const rows = revokedTokens.rows(tx, INSTALLATION, { prefix: [], limit: max, ...from });
  const entries = Array.from(rows, ({ value }) => value);
  for (const { accountId, jti, expiresAtMillis } of entries) {
    const place = expiries.get(tx, INSTALLATION, expiresAtMillis, accountId, jti);
    if (place?.[0] !== accountId || place[1] !== jti) {
      throw new AgentkeepError('storage_inconsistency');
    }
  }
  const last = entries.at(-1);
  return last === undefined || entries.length < max ? undefined : [last.accountId, last.jti];
}
