/**
 * What the authorization server stores: codes, refresh tokens and requests under way. The ids of
 * codes and tokens are secrets, so entries lie under their digests.
 */
import { sha256 } from '../../contract/digest.js';
import type { JsonValue } from '../../contract/schema/json-value.js';
import { json, number, text } from '../../storage/store/fields.js';
import { INSTALLATION, keyspace } from '../../storage/store/keyspace.js';
import { fieldsLayout, tupleLayout, type ValueOf } from '../../storage/store/layouts.js';
import type { ReadTx, WriteTx } from '../../storage/store/store.js';
import { Subspace } from '../../storage/store/subspace.js';

const entryLayout = fieldsLayout(1, {
  kind: text,
  /** Without the id. */
  payload: json<JsonValue>(),
  /** The approval that it belongs to, or null. */
  grantId: json<string | null>(),
  /** From then on the entry counts as removed. */
  expiresAtMillis: number,
  /** When it was used, for what can be used once. */
  consumedAtMillis: json<number | null>(),
});

/** A stored entry. */
export type GrantEntry = ValueOf<typeof entryLayout>;

const entries = new Subspace(keyspace.grantEntries, entryLayout);
/** Each value is the digest of the entry, as base64url. */
const expiries = new Subspace(keyspace.grantExpiries, tupleLayout<readonly [string]>(1));

/** The subspaces of entries, by their names in the key space. */
export const grantEntrySubspaces = { grantEntries: entries, grantExpiries: expiries };

/** Returns where an entry lies. */
export function grantEntryDigest(kind: string, id: string): Uint8Array {
  return sha256(`agentkeep grant entry 1 ${kind} ${id}`);
}

/** Returns an entry that has not expired, or `undefined`. */
export function findGrantEntry(
  tx: ReadTx,
  digest: Uint8Array,
  nowMs: number,
): GrantEntry | undefined {
  const entry = entries.get(tx, INSTALLATION, digest);
  return entry === undefined || nowMs >= entry.expiresAtMillis ? undefined : entry;
}

/** Stores a new or changed entry. */
export function putGrantEntry(tx: WriteTx, digest: Uint8Array, entry: GrantEntry): void {
  removeGrantEntry(tx, digest);
  entries.put(tx, entry, INSTALLATION, digest);
  const text = Buffer.from(digest).toString('base64url');
  expiries.put(tx, [text], INSTALLATION, entry.expiresAtMillis, digest);
}

/** Removes an entry, if it is there. */
export function removeGrantEntry(tx: WriteTx, digest: Uint8Array): void {
  const entry = entries.get(tx, INSTALLATION, digest);
  if (entry === undefined) return;
  tx.remove(expiries.keyOf(INSTALLATION, entry.expiresAtMillis, digest));
  tx.remove(entries.keyOf(INSTALLATION, digest));
}

/** Removes at most `max` entries that have expired. Returns how many it removed. */
export function removeExpiredGrantEntries(tx: WriteTx, nowMs: number, max: number): number {
  const before: [number] = [Math.max(0, nowMs + 1)];
  // No call may touch the store while a range is open, so collect first.
  const rows = expiries.rows(tx, INSTALLATION, { prefix: [], before, limit: max });
  const expired = Array.from(rows, ({ key, value: [text] }) => ({ key: Buffer.from(key), text }));
  for (const { key, text } of expired) {
    tx.remove(key);
    tx.remove(entries.keyOf(INSTALLATION, Buffer.from(text, 'base64url')));
  }
  return expired.length;
}
