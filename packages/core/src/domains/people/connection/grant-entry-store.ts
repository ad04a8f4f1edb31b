/**
 * What the authorization server stores until it expires: requests under way, and approvals. Their
 * ids are secrets, so entries lie under their digests.
 */
import { sha256 } from '../../../contract/digest.js';
import type { JsonValue } from '../../../contract/schema/json-value.js';
import {
  fieldsLayout,
  json,
  number,
  text,
  tupleLayout,
  type ValueOf,
} from '../../../storage/store/fields.js';
import { defineFamily, oneFor } from '../../../storage/store/family.js';
import { INSTALLATION } from '../../../storage/store/key.js';
import type { ReadTx, WriteTx } from '../../../storage/store/store.js';
import {
  digestsOfOwner,
  type GrantSlot,
  leaveSlots,
  takeSlots,
  type WaitingOwner,
} from './grant-slots.js';

const entryLayout = fieldsLayout(2, {
  kind: text,
  /** Without the id; null for a request that was answered. */
  payload: json<JsonValue>(),
  /** From then on the entry counts as removed. */
  expiresAtMillis: number,
  /** When a person answered a request; null before, and for approvals. */
  answeredAtMillis: json<number | null>(),
  /** Where it waits: a newer one of the same owner may take its slot. */
  slots: json<readonly GrantSlot[]>(),
});

/** A stored entry. */
export type GrantEntry = ValueOf<typeof entryLayout>;

/** The members of an entry without its slots. */
export type GrantEntryDraft = Omit<GrantEntry, 'slots'>;

/** Installation: requests and approvals of OAuth, by SHA-256 of kind and id. */
export const grantEntries = defineFamily({
  name: 'grantEntries',
  number: 59,
  key: ['digest'],
  layout: entryLayout,
  sealedBy: 'tenant',
  owner: 'value',
  exported: { not: 'secret' },
  erased: 'expires',
  counts: null,
});

/** Installation: requests and approvals of OAuth by expiry: their digests in base64url. */
export const grantExpiries = defineFamily({
  name: 'grantExpiries',
  number: 68,
  key: ['integer', 'digest'],
  layout: tupleLayout<readonly [string]>(1),
  sealedBy: null,
  owner: 'value',
  exported: 'derived',
  erased: 'expires',
  counts: null,
  derived: oneFor(grantEntries),
});

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
  const entry = grantEntries.get(tx, INSTALLATION, digest);
  return entry === undefined || nowMs >= entry.expiresAtMillis ? undefined : entry;
}

/** Stores a new or changed entry. */
export function putGrantEntry(tx: WriteTx, digest: Uint8Array, entry: GrantEntry): void {
  const before = grantEntries.get(tx, INSTALLATION, digest);
  if (before !== undefined) {
    tx.remove(grantExpiries.keyOf(INSTALLATION, before.expiresAtMillis, digest));
  }
  grantEntries.put(tx, entry, INSTALLATION, digest);
  grantExpiries.put(tx, [textOf(digest)], INSTALLATION, entry.expiresAtMillis, digest);
}

/** Stores an entry that waits. The oldest ones of its owners give way to it. */
export function putWaitingEntry(
  tx: WriteTx,
  digest: Uint8Array,
  draft: GrantEntryDraft,
  owner: WaitingOwner,
): void {
  const leave = (oldest: string): void => {
    removeGrantEntry(tx, bytesOf(oldest));
  };
  const slots = takeSlots(tx, { kind: draft.kind, digest: textOf(digest), owner }, leave);
  putGrantEntry(tx, digest, { ...draft, slots });
}

/** Stores an entry that waits no longer, so that no newer one takes its slot. */
export function putSettledEntry(tx: WriteTx, digest: Uint8Array, entry: GrantEntry): void {
  leaveSlots(tx, entry.slots);
  putGrantEntry(tx, digest, { ...entry, slots: [] });
}

/** Removes an entry, if it is there. */
export function removeGrantEntry(tx: WriteTx, digest: Uint8Array): void {
  const entry = grantEntries.get(tx, INSTALLATION, digest);
  if (entry === undefined) return;
  leaveSlots(tx, entry.slots);
  tx.remove(grantExpiries.keyOf(INSTALLATION, entry.expiresAtMillis, digest));
  tx.remove(grantEntries.keyOf(INSTALLATION, digest));
}

/** Removes the entries of an account that wait. */
export function removeWaitingEntries(tx: WriteTx, kind: string, owner: WaitingOwner): void {
  for (const digest of digestsOfOwner(tx, kind, owner)) removeGrantEntry(tx, bytesOf(digest));
}

/** Removes at most `max` entries that have expired. Returns how many it removed. */
export function removeExpiredGrantEntries(tx: WriteTx, nowMs: number, max: number): number {
  const before: [number] = [Math.max(0, nowMs + 1)];
  // No call may touch the store while a range is open, so collect first.
  const rows = grantExpiries.rows(tx, INSTALLATION, { prefix: [], before, limit: max });
  const expired = Array.from(rows, ({ key, value: [digest] }) => ({
    key: Buffer.from(key),
    digest,
  }));
  for (const { key, digest } of expired) {
    removeGrantEntry(tx, bytesOf(digest));
    tx.remove(key);
  }
  return expired.length;
}

function textOf(digest: Uint8Array): string {
  return Buffer.from(digest).toString('base64url');
}

function bytesOf(digest: string): Uint8Array {
  return Buffer.from(digest, 'base64url');
}
