/** The revocation list: ids of tokens that are refused until they expire. */
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import { INSTALLATION, keyspace } from '../../storage/store/keyspace.js';
import type { ReadTx, WriteTx } from '../../storage/store/store.js';
import { Subspace } from '../../storage/store/subspace.js';
import { number, text } from '../../storage/store/fields.js';
import { fieldsLayout, tupleLayout, type ValueOf } from '../../storage/store/layouts.js';

const revokedLayout = fieldsLayout(1, {
  jti: text,
  accountId: text,
  username: text,
  revokedAtMillis: number,
  /** When the token itself expires, after which the entry may go. */
  expiresAtMillis: number,
  reason: text,
});

/** A revoked token. */
export type RevokedToken = ValueOf<typeof revokedLayout>;

type Place = readonly [accountId: string, jti: string];

const revokedTokens = new Subspace(keyspace.revokedTokens, revokedLayout);
const expiries = new Subspace(keyspace.revocationExpiries, tupleLayout<Place>(1));

/** The subspaces of revocations, by their names in the key space. */
export const revocationSubspaces = { revokedTokens, revocationExpiries: expiries };

/**
 * Returns whether a token was revoked, with one point read.
 *
 * @throws {AgentkeepError} `storage_inconsistency` when the entry does not verify.
 */
export function isRevoked(tx: ReadTx, accountId: string, jti: string): boolean {
  return revokedTokens.get(tx, INSTALLATION, accountId, jti) !== undefined;
}

/** Adds a token to the list. Returns false and changes nothing if it is already revoked. */
export function addRevocation(tx: WriteTx, revoked: RevokedToken): boolean {
  const { accountId, jti, expiresAtMillis } = revoked;
  if (isRevoked(tx, accountId, jti)) return false;
  revokedTokens.put(tx, revoked, INSTALLATION, accountId, jti);
  expiries.put(tx, [accountId, jti], INSTALLATION, expiresAtMillis, accountId, jti);
  return true;
}

/** Counts the tokens of an account that are revoked and not expired. */
export function countRevocations(tx: ReadTx, accountId: string, nowMs: number): number {
  let count = 0;
  for (const { value } of revokedTokens.rows(tx, INSTALLATION, { prefix: [accountId] })) {
    if (nowMs < value.expiresAtMillis) count += 1;
  }
  return count;
}

/**
 * Removes at most `max` entries of tokens that have expired. Returns how many it removed.
 *
 * @throws {AgentkeepError} `storage_inconsistency` when one does not verify.
 */
export function removeExpiredRevocations(tx: WriteTx, nowMs: number, max: number): number {
  // No call may touch the store while a range is open, so collect first.
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
 * Checks at most `max` entries after a place. Returns the place to go on from, or `undefined` at
 * the end.
 *
 * @throws {AgentkeepError} `storage_inconsistency` when an entry does not verify or has no expiry.
 */
export function checkRevocations(
  tx: ReadTx,
  after: Place | undefined,
  max: number,
): Place | undefined {
  const start: [string, string] | undefined = after === undefined ? undefined : [...after];
  const span = { prefix: [] as [], after: start, limit: max };
  const entries = revokedTokens.values(tx, INSTALLATION, span);
  for (const { accountId, jti, expiresAtMillis } of entries) {
    const place = expiries.get(tx, INSTALLATION, expiresAtMillis, accountId, jti);
    if (place?.[0] !== accountId || place[1] !== jti) {
      throw new AgentkeepError('storage_inconsistency');
    }
  }
  const last = entries.at(-1);
  return last === undefined || entries.length < max ? undefined : [last.accountId, last.jti];
}
