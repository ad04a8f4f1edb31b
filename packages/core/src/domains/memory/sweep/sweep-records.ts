/**
 * Sweeps records and revisions that are past their retention, and the counts of reads that are no
 * longer kept.
 */
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { findNamespace, type Namespace } from '../../../kernel/access/namespace.js';
import { copyBytes, keyText } from '../../../storage/store/bytes.js';
import { afterKey } from '../../../storage/store/key.js';
import type { ReadTx, WriteTx } from '../../../storage/store/store.js';
import { ifReadable } from '../../../storage/store/value.js';
import { isHeld } from '../branch/branch-store.js';
import { type KeyedRecord, recordInKey, revisionInKey } from '../record/keyed-record.js';
import {
  findRecordState,
  removeRecord,
  sweptEntries,
  visibleUntil,
} from '../record/memory-store.js';
import { digestIn, firstDayKept, sweptReads, trimReads } from '../record/read-store.js';
import {
  type CurrentState,
  isDeletedKept,
  isLongExpired,
  isRevisionKept,
  type Retention,
} from '../retention/retention-policy.js';
import { retentionOf } from '../retention/retention-store.js';
import { sealPurge, supersededAt, sweptRevisions } from '../revision/revision-store.js';
import {
  REMOVED_AT_ONCE,
  type Slice,
  SLICE_BYTES,
  SLICE_ENTRIES,
  visitSlice,
} from './sweep-slice.js';

/** Records that one transaction removes. Each is decoded for its name. */
const RECORDS_REMOVED_AT_ONCE = 8;

/** A record that was found to be gone, and the key of its search entry. */
interface GoneRecord extends KeyedRecord {
  readonly key: Uint8Array;
}

/** Returns the next records that expired so long ago that they are gone. */
export function goneRecords(
  tx: ReadTx,
  tenantId: string,
  { from, nowMs }: { readonly from: Uint8Array | undefined; readonly nowMs: number },
): Slice<GoneRecord> {
  const entries = sweptEntries(tx, tenantId, { from, limit: SLICE_ENTRIES });
  const expired = visitSlice(entries, ({ key, visibleUntilMillis }) =>
    Number.isFinite(visibleUntilMillis) && visibleUntilMillis <= nowMs
      ? { key: copyBytes(key), ...recordInKey(key), visibleUntilMillis }
      : undefined,
  );
  const namespaceOf = namespacesIn(tx, tenantId);
  const found: GoneRecord[] = [];
  for (const record of expired.found) {
    const kept = ifReadable(() => namespaceOf(record.digest));
    if (!kept || !isLongExpired(record.visibleUntilMillis, kept.retention, nowMs)) continue;
    if (found.length === RECORDS_REMOVED_AT_ONCE) return { found, next: record.key };
    found.push(record);
  }
  return { found, next: expired.next };
}

/** What a transaction removed. */
interface RemovedRecords {
  readonly removed: number;
  /** The key from which the next transaction goes on; `undefined` if it removed all. */
  readonly next: Uint8Array | undefined;
}

/** Removes those of some records that are still gone. Their revisions go through the queue. */
export function removeGoneRecords(
  tx: WriteTx,
  tenantId: string,
  { records, nowMs }: { readonly records: readonly GoneRecord[]; readonly nowMs: number },
): RemovedRecords {
  const namespaceOf = namespacesIn(tx, tenantId);
  let removed = 0;
  let bytes = 0;
  for (const { digest, recordId, key } of records) {
    if (bytes >= SLICE_BYTES) return { removed, next: key };
    const { namespace, retention } = namespaceOf(digest);
    const end = visibleUntil(tx, namespace, recordId) ?? Infinity;
    const state = ifReadable(() => findRecordState(tx, namespace, recordId));
    // It may have been revived or deleted meanwhile.
    const isGone = Number.isFinite(end) && isLongExpired(end, retention, nowMs);
    if (!isGone || state === undefined) continue;
    bytes += state.bytes;
    removed += 1;
    removeRecord(tx, namespace, recordId);
    if (state.value.revision === 1) continue;
    const purge = sealPurge({ namespace, recordId }, nowMs);
    tx.put(purge.key, purge.value);
  }
  return { removed, next: undefined };
}

/** A stored revision that was visited. */
interface VisitedRevision {
  readonly key: Uint8Array;
  readonly supersededAtMillis: number;
}

/** Returns the keys of the next revisions that are no longer kept. */
export function endedRevisions(
  tx: ReadTx,
  tenantId: string,
  { from, nowMs }: { readonly from: Uint8Array | undefined; readonly nowMs: number },
): Slice<Uint8Array> {
  const entries = sweptRevisions(tx, tenantId, { from, limit: SLICE_ENTRIES });
  const visited = visitSlice(entries, ({ key, supersededAtMillis }): VisitedRevision => {
    return { key: copyBytes(key), supersededAtMillis };
  });
  const isEnded = judge(tx, tenantId, nowMs);
  const found: Uint8Array[] = [];
  for (const { key, supersededAtMillis } of visited.found) {
    const judged = isEnded(key, supersededAtMillis);
    if (judged.isEnded) found.push(key);
    // The records are read too, and one transaction removes a bounded number.
    if (found.length === REMOVED_AT_ONCE || judged.bytes >= SLICE_BYTES) {
      return { found, next: afterKey(key) };
    }
  }
  return { found, next: visited.next };
}

/** Removes those of some revisions that are not kept now; returns their number. */
export function removeEndedRevisions(
  tx: WriteTx,
  tenantId: string,
  { keys, nowMs }: { readonly keys: readonly Uint8Array[]; readonly nowMs: number },
): number {
  const isEnded = judge(tx, tenantId, nowMs);
  let removed = 0;
  for (const key of keys) {
    const supersededAtMillis = supersededAt(tx, key);
    if (supersededAtMillis === undefined || !isEnded(key, supersededAtMillis).isEnded) continue;
    tx.remove(key);
    removed += 1;
  }
  return removed;
}

/** Whether a revision has ended, and the bytes of all records that were read for the answers. */
interface Judged {
  readonly isEnded: boolean;
  readonly bytes: number;
}

/** Judges revisions. One whose record or namespace does not verify has not ended. */
function judge(tx: ReadTx, tenantId: string, nowMs: number) {
  const namespaceOf = namespacesIn(tx, tenantId);
  const states = new Map<string, CurrentState | undefined>();
  let bytes = 0;
  const stateOf = (key: Uint8Array): CurrentState | undefined => {
    const name = keyText(key.subarray(0, -8));
    if (states.has(name)) return states.get(name);
    const { digest, recordId } = revisionInKey(key);
    const found = findRecordState(tx, { tenantId, digest }, recordId);
    bytes += found?.bytes ?? 0;
    states.set(name, found?.value);
    return found?.value;
  };
  const isEnded = (key: Uint8Array, supersededAtMillis: number): boolean => {
    const state = stateOf(key);
    if (state === undefined) return true;
    const { digest, revision } = revisionInKey(key);
    const { retention, namespace } = namespaceOf(digest);
    if (state.isDeleted && !isDeletedKept(state, retention, nowMs)) return true;
    if (isHeld(tx, namespace, nowMs)) return false;
    return !isRevisionKept({ revision, supersededAtMillis }, state, retention, nowMs);
  };
  return (key: Uint8Array, supersededAtMillis: number): Judged => ({
    isEnded: ifReadable(() => isEnded(key, supersededAtMillis)) ?? false,
    bytes,
  });
}

/** A namespace with its retention. */
interface KeptNamespace {
  readonly namespace: Namespace;
  readonly retention: Retention;
}

/** Returns a look-up of the namespaces of a tenant in one transaction, each read once. */
function namespacesIn(tx: ReadTx, tenantId: string): (digest: Uint8Array) => KeptNamespace {
  const known = new Map<string, KeptNamespace>();
  return (digest) => {
    const name = keyText(digest);
    const found = known.get(name) ?? read(tx, tenantId, digest);
    known.set(name, found);
    return found;
  };
}

function read(tx: ReadTx, tenantId: string, digest: Uint8Array): KeptNamespace {
  const parts = findNamespace(tx, tenantId, digest);
  if (parts === undefined) throw new AgentkeepError('storage_inconsistency');
  const namespace = { tenantId, digest, parts };
  return { namespace, retention: retentionOf(tx, namespace) };
}

/** Returns the keys of the next counts of which some days are no longer kept. */
export function endedReads(
  tx: ReadTx,
  tenantId: string,
  { from, nowMs }: { readonly from: Uint8Array | undefined; readonly nowMs: number },
): Slice<Uint8Array> {
  const entries = sweptReads(tx, tenantId, { from, limit: SLICE_ENTRIES });
  const visited = visitSlice(
    entries,
    ({ key, digest, reads }) =>
      // A damaged entry stays for inspection.
      reads && { key: copyBytes(key), digest: copyBytes(digest), oldest: reads.days[0]?.[0] ?? 0 },
  );
  const found: Uint8Array[] = [];
  for (const { key, digest, oldest } of visited.found) {
    if (oldest >= firstDayOf(tx, tenantId, digest, nowMs)) continue;
    found.push(key);
    if (found.length === REMOVED_AT_ONCE) return { found, next: afterKey(key) };
  }
  return { found, next: visited.next };
}

/** Removes from some counts the days that are not kept now. */
export function removeEndedReads(
  tx: WriteTx,
  tenantId: string,
  { keys, nowMs }: { readonly keys: readonly Uint8Array[]; readonly nowMs: number },
): void {
  for (const key of keys) {
    trimReads(tx, tenantId, key, firstDayOf(tx, tenantId, digestIn(key), nowMs));
  }
}

/** Counts of a namespace that is gone are not kept. */
function firstDayOf(tx: ReadTx, tenantId: string, digest: Uint8Array, nowMs: number): number {
  const parts = findNamespace(tx, tenantId, digest);
  if (parts === undefined) return Infinity;
  return firstDayKept(retentionOf(tx, { tenantId, digest, parts }).readDays, nowMs);
}
