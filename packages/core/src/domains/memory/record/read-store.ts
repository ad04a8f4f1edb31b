/** Counts of reads in the store: who read a record, by day (docs/contract/history.md#his-41). */
import type { Namespace } from '../../../kernel/access/namespace.js';
import { defineFamily } from '../../../storage/store/family.js';
import { partsOfKey } from '../../../storage/store/key.js';
import { jsonLayout } from '../../../storage/store/fields.js';
import type { ReadTx, WriteTx } from '../../../storage/store/store.js';

/** Milliseconds of a day. */
const DAY_MS = 86_400_000;

/** Reads on one day, which is the number of days since 1970 in UTC. */
export type DayReads = readonly [day: number, reads: number];

/** The reads of a record by one reader. */
export interface StoredReads {
  readonly lastAtMillis: number;
  /** Days with reads, in ascending order. */
  readonly days: readonly DayReads[];
}

/** Reads by namespace, record and reader, outside of branches. */
export const memoryReads = defineFamily({
  name: 'memoryReads',
  number: 119,
  key: ['digest', 'uuid', 'text'],
  layout: jsonLayout<StoredReads>(1),
  sealedBy: null,
  owner: 'scope',
  subjectAt: 2,
  exported: { not: 'working' },
  erased: 'removed',
  counts: null,
});

/** A record of a namespace. */
export interface ReadRecord {
  readonly namespace: Pick<Namespace, 'tenantId' | 'digest'>;
  readonly recordId: string;
}

/** Returns the day of a time in Unix milliseconds. */
export function dayOf(millis: number): number {
  return Math.floor(millis / DAY_MS);
}

/** Returns when a day begins, in Unix milliseconds. */
export function timeOfDay(day: number): number {
  return day * DAY_MS;
}

/** Returns the first day of which reads are kept, counting today; none if `readDays` is 0. */
export function firstDayKept(readDays: number, nowMs: number): number {
  return readDays === 0 ? Infinity : dayOf(nowMs) - readDays + 1;
}

/** Adds reads to those of a reader, and leaves out days that are no longer kept. */
export function addReads(
  tx: WriteTx,
  { namespace, recordId }: ReadRecord,
  reader: string,
  { added, firstDay }: { readonly added: StoredReads; readonly firstDay: number },
): void {
  const { tenantId, digest } = namespace;
  const before = memoryReads.get(tx, tenantId, digest, recordId, reader);
  const days = new Map<number, number>();
  for (const [day, reads] of [...(before?.days ?? []), ...added.days]) {
    if (day >= firstDay) days.set(day, (days.get(day) ?? 0) + reads);
  }
  if (days.size === 0) return;
  const lastAtMillis = Math.max(before?.lastAtMillis ?? 0, added.lastAtMillis);
  const sorted = [...days].toSorted(([one], [other]) => one - other);
  memoryReads.put(tx, { lastAtMillis, days: sorted }, tenantId, digest, recordId, reader);
}

/** The reads of a record by one of its readers. */
export interface ReaderReads extends StoredReads {
  readonly reader: string;
}

/** Returns the readers of a record after one of them, in the order of their ids. */
export function readersOf(
  tx: ReadTx,
  { namespace: { tenantId, digest }, recordId }: ReadRecord,
  { after, limit }: { readonly after: string | undefined; readonly limit: number },
): ReaderReads[] {
  const rows = memoryReads.rows(tx, tenantId, {
    prefix: [digest, recordId],
    after: after === undefined ? undefined : [digest, recordId, after],
    limit,
  });
  return Array.from(rows, ({ key, value }) => ({ ...value, reader: String(partsIn(key)[2]) }));
}

/** Returns whether a tenant has any reads. */
export function hasReads(tx: ReadTx, tenantId: string): boolean {
  for (const _ of memoryReads.entriesFrom(tx, tenantId, { from: undefined, limit: 1 })) return true;
  return false;
}

/** Yields the reads of a tenant from a key on. */
export function* sweptReads(
  tx: ReadTx,
  tenantId: string,
  part: { readonly from: Uint8Array | undefined; readonly limit: number },
) {
  for (const { key, value } of memoryReads.entriesFrom(tx, tenantId, part)) {
    const reads = memoryReads.openIfReadable(key, value);
    yield { key, bytes: value.length, digest: digestIn(key), reads };
  }
}

/** Removes the days of an entry that are no longer kept, and the entry with the last of them. */
export function trimReads(tx: WriteTx, tenantId: string, key: Uint8Array, firstDay: number): void {
  const value = tx.get(key);
  const before = value && memoryReads.openIfReadable(key, value);
  if (before === undefined) return;
  const [digest, recordId, reader] = partsIn(key) as [Uint8Array, string, string];
  const days = before.days.filter(([day]) => day >= firstDay);
  if (days.length === 0) tx.remove(key);
  else memoryReads.put(tx, { ...before, days }, tenantId, digest, recordId, reader);
}

/** Returns the digest of the namespace in a key. */
export function digestIn(key: Uint8Array): Uint8Array {
  return partsIn(key)[0] as Uint8Array;
}

function partsIn(key: Uint8Array): readonly unknown[] {
  return partsOfKey(memoryReads.shape, key);
}
