/**
 * Traces of what was derived from deleted and redacted revisions, in the store: a trace beside its
 * revision, and an entry for each derived revision that waits or was examined.
 */
import { fieldsLayout, json, number, orNull } from '../../../storage/store/fields.js';
import { defineFamily, working } from '../../../storage/store/family.js';
import { asBuffer, copyBytes } from '../../../storage/store/bytes.js';
import type { ReadTx, WriteTx } from '../../../storage/store/store.js';
import type { Dependents } from '../documents/lineage-schema.js';
import { type RevisedKey, revisionInKey } from './keyed-record.js';
import type { Link } from './source-store.js';

/** A trace of a revision. */
export interface StoredTrace {
  /** From 1; a revision that is redacted again is traced anew. */
  readonly run: number;
  readonly mode: Dependents;
  readonly startedAtMillis: number;
  readonly isFinished: boolean;
}

/**
 * The result for a derived revision. `hidden` is one that the caller may not read; what was derived
 * from it isn't looked for.
 */
export type TraceOutcome = 'found' | 'deleted' | 'redacted' | 'left' | 'hidden';

/** A derived revision that waits. */
export interface WaitingItem {
  /** Where it is: the revision whose deletion or redaction is traced is no derived one. */
  readonly isRoot: boolean;
  /** Whether all revisions of its record are sources, because the record was deleted. */
  readonly isWhole: boolean;
  /** Null until it was examined. */
  readonly outcome: TraceOutcome | null;
  /** The last link that was followed from it; null before the first. */
  readonly after: Link | null;
}

type StoredLink = readonly [number, string, string, number];

/** Traces of what was derived from a deleted or redacted revision, by that revision. */
export const memoryTraces = defineFamily({
  name: 'memoryTraces',
  number: 93,
  key: ['digest', 'uuid', 'integer'],
  layout: fieldsLayout<StoredTrace>(1, {
    run: number,
    mode: json<Dependents>(),
    startedAtMillis: number,
    isFinished: json<boolean>(),
  }),
  sealedBy: null,
  owner: 'scope',
  exported: { not: 'working' },
  erased: 'removed',
  counts: null,
  derived: working,
});

/** What traces found: the revision, number of the trace, 0 while it waits, what was derived. */
export const memoryTraced = defineFamily({
  name: 'memoryTraced',
  number: 94,
  key: ['digest', 'uuid', 'integer', 'integer', 'integer', 'digest', 'uuid', 'integer'],
  layout: fieldsLayout<Omit<WaitingItem, 'after'> & { readonly after: StoredLink | null }>(1, {
    isRoot: json<boolean>(),
    isWhole: json<boolean>(),
    outcome: orNull(json<TraceOutcome>()),
    after: orNull(json<StoredLink>()),
  }),
  sealedBy: null,
  owner: 'scope',
  exported: { not: 'working' },
  erased: 'removed',
  counts: null,
  derived: working,
});

const WAITS = 0;
const SETTLED = 1;

/** Begins to trace a revision, or to trace it anew. `isWhole` says that its record was deleted. */
export function startTrace(
  tx: WriteTx,
  tenantId: string,
  root: RevisedKey,
  { mode, isWhole, nowMs }: { readonly mode: Dependents; readonly isWhole: boolean; nowMs: number },
): void {
  const run = (findTrace(tx, tenantId, root)?.run ?? 0) + 1;
  const trace = { run, mode, startedAtMillis: nowMs, isFinished: false };
  putTrace(tx, tenantId, root, trace);
  const item = { isRoot: true, isWhole, outcome: null, after: null };
  putWaiting(tx, tenantId, { root, run }, root, item);
}

/** Returns the last trace of a revision, or `undefined`. */
export function findTrace(
  tx: ReadTx,
  tenantId: string,
  { digest, recordId, revision }: RevisedKey,
): StoredTrace | undefined {
  return memoryTraces.get(tx, tenantId, digest, recordId, revision);
}

/** Stores a trace. */
export function putTrace(
  tx: WriteTx,
  tenantId: string,
  { digest, recordId, revision }: RevisedKey,
  trace: StoredTrace,
): void {
  memoryTraces.put(tx, trace, tenantId, digest, recordId, revision);
}

/** A run of a trace. */
export interface TraceRun {
  readonly root: RevisedKey;
  readonly run: number;
}

/** Returns the first derived revision that waits, or `undefined`. */
export function firstWaiting(
  tx: ReadTx,
  tenantId: string,
  { root, run }: TraceRun,
): { readonly derived: RevisedKey; readonly item: WaitingItem } | undefined {
  for (const { key, value } of memoryTraced.rows(tx, tenantId, {
    prefix: [root.digest, root.recordId, root.revision, run, WAITS],
    limit: 1,
  })) {
    const derived = revisionInKey(key);
    return { derived, item: { ...value, after: value.after && linkOf(derived, value.after) } };
  }
  return undefined;
}

/** Stores a derived revision that waits. */
export function putWaiting(
  tx: WriteTx,
  tenantId: string,
  of: TraceRun,
  derived: RevisedKey,
  item: WaitingItem,
): void {
  const after = item.after && storedLink(item.after);
  memoryTraced.put(tx, { ...item, after }, tenantId, ...keyOf(of, WAITS, derived));
}

/** Returns whether a derived revision waits or was examined. */
export function isTraced(tx: ReadTx, tenantId: string, of: TraceRun, derived: RevisedKey): boolean {
  return [WAITS, SETTLED].some((state) =>
    memoryTraced.has(tx, tenantId, ...keyOf(of, state, derived)),
  );
}

/** Ends the wait of a derived revision. Null leaves nothing of it. */
export function settle(
  tx: WriteTx,
  tenantId: string,
  of: TraceRun,
  derived: RevisedKey,
  outcome: TraceOutcome | null,
): void {
  tx.remove(memoryTraced.keyOf(tenantId, ...keyOf(of, WAITS, derived)));
  if (outcome === null) return;
  const item = { isRoot: false, isWhole: false, outcome, after: null };
  memoryTraced.put(tx, item, tenantId, ...keyOf(of, SETTLED, derived));
}

/** A derived revision that was examined. */
export interface TracedRevision {
  readonly derived: RevisedKey;
  readonly outcome: TraceOutcome;
}

/** Returns examined revisions, in the order of their keys. */
export function settledOf(
  tx: ReadTx,
  tenantId: string,
  { root, run }: TraceRun,
  { after, limit }: { readonly after: RevisedKey | undefined; readonly limit: number },
): readonly TracedRevision[] {
  const rows = memoryTraced.rows(tx, tenantId, {
    prefix: [root.digest, root.recordId, root.revision, run, SETTLED],
    after: after && keyOf({ root, run }, SETTLED, after),
    limit,
  });
  return Array.from(rows, ({ key, value }) => ({
    derived: revisionInKey(key),
    outcome: value.outcome ?? 'found',
  }));
}

/** Yields the traces of a tenant from a key on. */
export function* sweptTraces(
  tx: ReadTx,
  tenantId: string,
  part: { readonly from: Uint8Array | undefined; readonly limit: number },
) {
  for (const { key, value } of memoryTraces.entriesFrom(tx, tenantId, part)) {
    const trace = memoryTraces.openIfReadable(key, value);
    yield { key, bytes: value.length, revised: revisionInKey(key), trace };
  }
}

/** Removes entries of all runs of a trace, and the trace with the last; returns their number. */
export function removeTrace(tx: WriteTx, tenantId: string, root: RevisedKey, most: number): number {
  const { digest, recordId, revision } = root;
  const entries = memoryTraced.entries(tx, tenantId, {
    prefix: [digest, recordId, revision],
    limit: most,
  });
  const keys = Array.from(entries, ({ key }) => copyBytes(key));
  for (const key of keys) tx.remove(key);
  if (keys.length < most) tx.remove(memoryTraces.keyOf(tenantId, digest, recordId, revision));
  return keys.length;
}

/** Returns whether a tenant has any trace. */
export function hasTraces(tx: ReadTx, tenantId: string): boolean {
  for (const _ of memoryTraces.entriesFrom(tx, tenantId, { from: undefined, limit: 1 }))
    return true;
  return false;
}

type TracedTuple = [
  ...[digest: Uint8Array, recordId: string, revision: number, run: number, state: number],
  ...[derivedDigest: Uint8Array, derivedId: string, derivedRevision: number],
];

function keyOf({ root, run }: TraceRun, state: number, derived: RevisedKey): TracedTuple {
  const { digest, recordId, revision } = derived;
  return [root.digest, root.recordId, root.revision, run, state, digest, recordId, revision];
}

function storedLink({ source, derived }: Link): StoredLink {
  const digest = asBuffer(derived.digest).toString('base64url');
  return [source.revision, digest, derived.recordId, derived.revision];
}

function linkOf(of: RevisedKey, [revision, digest, recordId, derivedRevision]: StoredLink): Link {
  const derived = { digest: Buffer.from(digest, 'base64url'), recordId, revision: derivedRevision };
  return { source: { ...of, revision }, derived };
}
