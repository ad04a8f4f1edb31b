/** What a change does to the superseded revisions of its record. */
import { REVISIONS_REMOVED_AT_ONCE } from '../../../contract/limits.js';
import { spareEntry } from '../../../kernel/counts/counts.js';
import type { Copied } from '../../../storage/store/subspace.js';
import type { Namespace } from '../../../kernel/access/namespace.js';
import { isHeld } from '../branch/branch-store.js';
import type { Entry, ReadTx, WriteTx } from '../../../storage/store/store.js';
import type { StoredReceipt } from '../record/receipt-store.js';
import type { StoredRecord } from '../record/record-layout.js';
import { keptUntil, type Retention } from '../retention/retention-policy.js';
import { type RecordKey, revisionKey, sealPurge, sealRevision } from './revision-store.js';

/** The stored record that a change meets. */
export type CurrentRecord = RecordKey & Copied<StoredRecord> & { readonly namespace: Namespace };

/** The writes of a change in addition to its record. */
export interface HistoryWrite {
  /** The superseded revision; left out where a storage quota has no room for it. */
  readonly kept?: Entry | undefined;
  /** Other entries to store. */
  readonly stored?: readonly Entry[];
  readonly removed?: readonly Uint8Array[];
}

/** Stores what a change does to the history of its record. */
export function storeHistory(tx: WriteTx, { kept, stored, removed }: HistoryWrite): void {
  if (kept !== undefined) {
    tx.put(kept.key, kept.value);
    spareEntry(tx, kept.key);
  }
  for (const { key, value } of stored ?? []) tx.put(key, value);
  for (const key of removed ?? []) tx.remove(key);
}

/**
 * Keeps the superseded revision, and removes the oldest one if there are too many. While a branch
 * is over the scope, all of them stay.
 */
export function superseded(
  tx: ReadTx,
  current: CurrentRecord,
  retention: Retention,
  nowMs: number,
): HistoryWrite {
  const { revision, keptUntilMillis } = current.value;
  const isKept = retention.revisionsMax > 0 && retention.revisionDays > 0;
  const outdated = revision - retention.revisionsMax;
  const isEnding = !isKept || outdated > 0;
  const isSpared = isEnding && isHeld(tx, current.namespace, nowMs);
  const removed = outdated > 0 && !isSpared ? [revisionKey(current, outdated)] : [];
  // A tombstone is superseded when its record is restored, which then no longer goes.
  if (keptUntilMillis !== null) removed.push(sealPurge(current, keptUntilMillis).key);
  return { kept: isKept || isSpared ? sealed(current, nowMs) : undefined, removed };
}

/** Ends the history of a deleted record: at once, or when its content is no longer kept. */
export function ended(
  current: CurrentRecord,
  retention: Retention,
  nowMs: number,
): HistoryWrite & { readonly keptUntilMillis: number | null } {
  const keptUntilMillis = keptUntil(retention, nowMs);
  if (keptUntilMillis !== null) {
    const stored = [sealed(current, nowMs), sealPurge(current, keptUntilMillis)];
    return { stored, keptUntilMillis };
  }
  const older = current.value.revision - 1;
  const atOnce = Math.min(older, REVISIONS_REMOVED_AT_ONCE);
  const removed = Array.from({ length: atOnce }, (_, index) => revisionKey(current, older - index));
  const stored = older > atOnce ? [sealPurge(current, nowMs)] : [];
  return { stored, removed, keptUntilMillis };
}

/** Returns whether the commit of a change left revisions for a sweep to remove. */
export function leavesRevisions({
  action,
  revision,
}: Pick<StoredReceipt, 'action' | 'revision'>): boolean {
  return action === 'deleted' && revision > REVISIONS_REMOVED_AT_ONCE + 2;
}

function sealed(current: CurrentRecord, nowMs: number): Entry {
  const { revision } = current.value;
  const written = { supersededAtMillis: nowMs, redaction: null, record: current.content };
  return sealRevision(current, revision, written);
}
