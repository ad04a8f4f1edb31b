/** Finds and removes what is stored of sources whose derived revisions are gone, and old traces. */
import { copyBytes } from '../../../storage/store/bytes.js';
import type { ReadTx, WriteTx } from '../../../storage/store/store.js';
import { ifReadable } from '../../../storage/store/value.js';
import { findRecordState } from '../record/memory-store.js';
import type { RevisedKey } from '../record/keyed-record.js';
import {
  linksOf,
  removeSources,
  type SweptKey,
  sweptRedacted,
  sweptSources,
} from '../record/source-store.js';
import { removeTrace, sweptTraces } from '../record/trace-store.js';
import { revisionKey, supersededAt } from '../revision/revision-store.js';
import { REMOVED_AT_ONCE, type Slice, visitSlice, SLICE_ENTRIES } from './sweep-slice.js';

/** A trace is kept this long after it began, so that what it found can be read. */
const TRACES_KEPT_MS = 604_800_000;

/** An entry that may go, and its key. */
interface GoneEntry {
  readonly key: Uint8Array;
  readonly revised: RevisedKey;
}

/** Where a walk goes on, and when it runs. */
interface At {
  readonly from: Uint8Array | undefined;
  readonly nowMs: number;
}

/** A kind of entries that a walk removes. */
export interface LineageSweep {
  /** Returns the next entries that may go. */
  readonly find: (tx: ReadTx, tenantId: string, at: At) => Slice<GoneEntry>;
  /** Removes one of them if it may still go; returns whether the rest of it goes next time. */
  readonly remove: (tx: WriteTx, tenantId: string, entry: GoneEntry, nowMs: number) => boolean;
}

/** A stage of a walk that is about lineage. */
export type LineageStage = 'sources' | 'redacted_sources' | 'traces';

/** The kinds, by the stages of a walk. */
export const lineageSweeps: Readonly<Record<LineageStage, LineageSweep>> = {
  /** Derived revisions of which the content is gone. */
  sources: {
    find: (tx, tenantId, { from }) =>
      bounded(sweptSources(tx, tenantId, { from, limit: SLICE_ENTRIES }), ({ revised }) =>
        isGone(tx, tenantId, revised),
      ),
    remove: (tx, tenantId, { revised }) => {
      if (isGone(tx, tenantId, revised)) removeSources(tx, tenantId, revised);
      return false;
    },
  },
  /** Notes of redacted sources from which nothing is left that was derived. */
  redacted_sources: {
    find: (tx, tenantId, { from }) =>
      bounded(sweptRedacted(tx, tenantId, { from, limit: SLICE_ENTRIES }), ({ revised }) =>
        isUnlinked(tx, tenantId, revised),
      ),
    remove: (tx, tenantId, { key, revised }) => {
      if (isUnlinked(tx, tenantId, revised)) tx.remove(key);
      return false;
    },
  },
  /** Traces that began long ago. */
  traces: {
    find: (tx, tenantId, { from, nowMs }) =>
      bounded(
        sweptTraces(tx, tenantId, { from, limit: SLICE_ENTRIES }),
        ({ trace }) => trace !== undefined && nowMs - trace.startedAtMillis >= TRACES_KEPT_MS,
      ),
    remove: (tx, tenantId, { revised }) =>
      removeTrace(tx, tenantId, revised, REMOVED_AT_ONCE) === REMOVED_AT_ONCE,
  },
};

/** Returns those that may go, up to the bound of one transaction. Keys are on loan. */
function bounded<E extends SweptKey>(
  entries: Iterable<E>,
  mayGo: (entry: E) => boolean,
): Slice<GoneEntry> {
  const { found, next } = visitSlice(entries, (entry) => ({
    ...entry,
    key: copyBytes(entry.key),
  }));
  const going = found.filter(mayGo).map(({ key, revised }) => ({ key, revised }));
  const rest = going[REMOVED_AT_ONCE];
  return { found: going.slice(0, REMOVED_AT_ONCE), next: rest === undefined ? next : rest.key };
}

/** Returns whether the content of a revision is gone: deleted, redacted, or no longer kept. */
function isGone(tx: ReadTx, tenantId: string, { digest, recordId, revision }: RevisedKey): boolean {
  const namespace = { tenantId, digest };
  const gone = ifReadable(() => {
    const state = findRecordState(tx, namespace, recordId)?.value;
    if (state?.revision === revision) return state.isDeleted;
    // A redaction removes the sources itself.
    return supersededAt(tx, revisionKey({ namespace, recordId }, revision)) === undefined;
  });
  return gone === true;
}

function isUnlinked(tx: ReadTx, tenantId: string, revised: RevisedKey): boolean {
  return linksOf(tx, tenantId, revised, { limit: 1 }).length === 0;
}
