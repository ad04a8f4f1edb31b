/** The revocation list: ids of tokens that are refused until they expire. */
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { defineFamily, indexOf, oneFor } from '../../../storage/store/family.js';
import { INSTALLATION } from '../../../storage/store/key.js';
import type { ReadTx, WriteTx } from '../../../storage/store/store.js';
import {
  fieldsLayout,
  jsonLayout,
  number,
  text,
  tupleLayout,
  type ValueOf,
} from '../../../storage/store/fields.js';

const revokedLayout = fieldsLayout(1, {
  jti: text,
  accountId: text,
  username: text,
  revokedAtMillis: number,
  /** When the token itself expires. The entry may be removed afterwards. */
  expiresAtMillis: number,
  reason: text,
});

/** A revoked token. */
export type RevokedToken = ValueOf<typeof revokedLayout>;

type RevocationKey = readonly [accountId: string, jti: string];

/** Installation: revoked tokens, by account and token id. */
export const revokedTokens = defineFamily({
  name: 'revokedTokens',
  number: 20,
  key: ['uuid', 'uuid'],
  layout: revokedLayout,
  sealedBy: null,
  owner: 'account',
  exported: { not: 'secret' },
  erased: 'expires',
  counts: null,
});

/** Installation: revoked tokens by expiry of the token, account and token id. */
export const revocationExpiries = defineFamily({
  name: 'revocationExpiries',
  number: 21,
  key: ['integer', 'uuid', 'uuid'],
  layout: tupleLayout<RevocationKey>(1),
  sealedBy: null,
  owner: 'value',
  exported: 'derived',
  erased: 'expires',
  counts: null,
  derived: oneFor(revokedTokens),
});

/**
 * Installation: number of stored revoked tokens of an account, by account id, so that nothing has
 * to count them.
 */
export const revocationCounts = defineFamily({
  name: 'revocationCounts',
  number: 61,
  key: ['uuid'],
  layout: jsonLayout<number>(1),
  sealedBy: null,
  owner: 'account',
  exported: 'derived',
  erased: 'expires',
  counts: null,
  derived: indexOf(revokedTokens),
});

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
  revocationCounts.put(tx, countRevocations(tx, accountId) + 1, INSTALLATION, accountId);
  revokedTokens.put(tx, revoked, INSTALLATION, accountId, jti);
  revocationExpiries.put(tx, [accountId, jti], INSTALLATION, expiresAtMillis, accountId, jti);
  return true;
}

/**
 * Returns how many tokens of an account are on the list. An entry is on it until a day after its
 * token has expired.
 */
export function countRevocations(tx: ReadTx, accountId: string): number {
  return revocationCounts.get(tx, INSTALLATION, accountId) ?? 0;
}

/**
 * Removes at most `max` entries of tokens that have expired. Returns how many it removed.
 *
 * @throws {AgentkeepError} `storage_inconsistency` when one does not verify.
 */
export function removeExpiredRevocations(tx: WriteTx, nowMs: number, max: number): number {
  // No call may touch the store while a range is open, so collect first.
  const rows = revocationExpiries.rows(tx, INSTALLATION, {
    prefix: [],
    before: [Math.max(0, nowMs + 1)],
    limit: max,
  });
  const expired = Array.from(rows, ({ key, value }) => ({ entry: Buffer.from(key), key: value }));
  for (const { entry, key } of expired) {
    tx.remove(entry);
    tx.remove(revokedTokens.keyOf(INSTALLATION, ...key));
  }
  const removed = new Map<string, number>();
  for (const { key } of expired) removed.set(key[0], (removed.get(key[0]) ?? 0) + 1);
  for (const [accountId, number] of removed) countRemoved(tx, accountId, number);
  return expired.length;
}

function countRemoved(tx: WriteTx, accountId: string, removed: number): void {
  const count = countRevocations(tx, accountId);
  if (count > removed) revocationCounts.put(tx, count - removed, INSTALLATION, accountId);
  else tx.remove(revocationCounts.keyOf(INSTALLATION, accountId));
}

/**
 * Checks at most `max` entries after a key. Returns the owner to continue from, or `undefined` at
 * the end.
 *
 * @throws {AgentkeepError} `storage_inconsistency` when an entry does not verify or has no expiry.
 */
export function checkRevocations(
  tx: ReadTx,
  after: RevocationKey | undefined,
  max: number,
): RevocationKey | undefined {
  const start: [string, string] | undefined = after === undefined ? undefined : [...after];
  const span = { prefix: [] as [], after: start, limit: max };
  const entries = revokedTokens.values(tx, INSTALLATION, span);
  for (const { accountId, jti, expiresAtMillis } of entries) {
    const owner = revocationExpiries.get(tx, INSTALLATION, expiresAtMillis, accountId, jti);
    if (owner?.[0] !== accountId || owner[1] !== jti) {
      throw new AgentkeepError('storage_inconsistency');
    }
  }
  const last = entries.at(-1);
  return last === undefined || entries.length < max ? undefined : [last.accountId, last.jti];
}
