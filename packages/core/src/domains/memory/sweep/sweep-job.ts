/** Sweeps the records of one scope in slices. */
import type { AuditDraft } from '../../../kernel/audit/audit.js';
import type { Runtime } from '../../../kernel/services/runtime.js';
import { asBuffer } from '../../../storage/store/bytes.js';
import { afterKey } from '../../../storage/store/key.js';
import type { ReadTx, WriteTx } from '../../../storage/store/store.js';
import { recordInKey } from '../record/keyed-record.js';
import { hasReads } from '../record/read-store.js';
import { findRecordState } from '../record/memory-store.js';
import { hasSources } from '../record/source-store.js';
import { hasTraces } from '../record/trace-store.js';
import { findRetention } from '../retention/retention-store.js';
import { findSweep, putSweep, SWEEP_STAGES, type SweepState } from '../retention/sweep-store.js';
import { firstDuePurge, hasRevisions, revisionKeys } from '../revision/revision-store.js';
import { type LineageStage, lineageSweeps } from './sweep-lineage.js';
import {
  endedReads,
  endedRevisions,
  goneRecords,
  removeEndedReads,
  removeEndedRevisions,
  removeGoneRecords,
} from './sweep-records.js';
import { REMOVED_AT_ONCE, type Slice } from './sweep-slice.js';

/** Time from the end of a sweep through all memory of a tenant to the start of the next one. */
const WALK_EVERY_MS = 21_600_000;

/** Progress is stored after this many slices that remove nothing. */
const UNSTORED_SLICES_MAX = 16;

/** Dependencies of a sweep. */
export type SweepParts = Pick<Runtime, 'store' | 'clock' | 'newId' | 'audit'>;

/** Returns whether there may be something to remove of a tenant. */
export function hasWork(tx: ReadTx, tenantId: string, nowMs: number): boolean {
  if (firstDuePurge(tx, tenantId, nowMs) !== undefined) return true;
  const last = findSweep(tx, tenantId);
  const isUnderWay = last?.finishedAtMillis === null;
  if (!isUnderWay && last !== undefined && !isWalkDue(last, nowMs)) return false;
  return (
    hasRevisions(tx, tenantId) ||
    hasSources(tx, tenantId) ||
    hasTraces(tx, tenantId) ||
    hasReads(tx, tenantId) ||
    mayPurge(tx, tenantId)
  );
}

/** Returns whether a walk is over for so long that the next one begins. */
function isWalkDue({ finishedAtMillis }: SweepState, nowMs: number): boolean {
  // A clock that was set back must not put the next walk off.
  return finishedAtMillis !== null && Math.abs(nowMs - finishedAtMillis) >= WALK_EVERY_MS;
}

/** Returns whether expired records of a tenant may go. */
function mayPurge(tx: ReadTx, tenantId: string): boolean {
  const found = findRetention(tx, { tenantId, digest: null });
  return found !== undefined && (found.hasScopes || found.setting.expiredDays !== null);
}

/** What a transaction removed, and where the walk goes on if not where it was to. */
interface Removed {
  readonly revisions?: number;
  readonly records?: number;
  readonly from?: Uint8Array;
}

/** Where a walk goes on, and when it runs. */
interface At {
  readonly from: Uint8Array | undefined;
  readonly nowMs: number;
}

/** A slice that was read. */
interface ReadSlice {
  /** The state after the slice. */
  readonly state: SweepState;
  /** Removes what was found; absent if there was nothing. */
  readonly remove?: (tx: WriteTx) => Removed;
}

/** The sweep of a tenant. */
export class SweepJob {
  readonly #parts: SweepParts;
  readonly #tenantId: string;
  /** Undefined until it is known which walk this is. */
  #state: SweepState | undefined;
  #unstored = 0;

  constructor(parts: SweepParts, tenantId: string) {
    this.#parts = parts;
    this.#tenantId = tenantId;
  }

  /** Does the next slice. Returns whether there is more. */
  async step(): Promise<boolean> {
    const { store, clock, newId } = this.#parts;
    const nowMs = clock.now();
    if (this.#state === undefined) {
      this.#state = await store.transact((tx) => this.#start(tx, nowMs));
      return true;
    }
    const before = this.#state;
    const slice = await store.read((tx) => this.#readSlice(tx, before, nowMs));
    const isDone = slice.state.finishedAtMillis !== null && slice.remove === undefined;
    this.#unstored += 1;
    if (slice.remove === undefined && !isDone && this.#unstored < UNSTORED_SLICES_MAX) {
      this.#state = slice.state;
      return true;
    }
    const event = isDone ? { id: newId(), nowMs } : undefined;
    this.#state = await store.transact((tx) => this.#store(tx, slice, event));
    this.#unstored = 0;
    return !isDone;
  }

  /** Goes on with an interrupted walk, begins one that is due, or leaves it at a recent one. */
  #start(tx: WriteTx, nowMs: number): SweepState {
    const last = findSweep(tx, this.#tenantId);
    if (last !== undefined && !isWalkDue(last, nowMs)) return last;
    const state: SweepState = {
      startedAtMillis: nowMs,
      finishedAtMillis: null,
      stage: 'revisions',
      from: null,
      revisions: last?.revisions ?? 0,
      records: last?.records ?? 0,
    };
    putSweep(tx, this.#tenantId, state);
    return state;
  }

  #readSlice(tx: ReadTx, state: SweepState, nowMs: number): ReadSlice {
    const tenantId = this.#tenantId;
    const purge = nextPurge(tx, tenantId, nowMs);
    if (purge !== undefined) {
      const remove = (writing: WriteTx): Removed => ({
        revisions: removePurged(writing, tenantId, { purge, nowMs }),
      });
      return { remove, state };
    }
    if (state.finishedAtMillis !== null) return { state };
    const from = state.from === null ? undefined : Buffer.from(state.from, 'hex');
    if (state.stage === 'revisions') return this.#readRevisions(tx, state, { from, nowMs });
    if (state.stage === 'reads') return this.#readReads(tx, state, { from, nowMs });
    if (state.stage !== 'records') {
      return this.#readLineage(tx, state, { from, nowMs, stage: state.stage });
    }
    if (!mayPurge(tx, tenantId)) return { state: finished(state, nowMs) };
    return this.#readRecords(tx, state, { from, nowMs });
  }

  #readRevisions(tx: ReadTx, state: SweepState, at: At): ReadSlice {
    const tenantId = this.#tenantId;
    const { nowMs } = at;
    return slicePast(state, endedRevisions(tx, tenantId, at), (writing, keys) => ({
      revisions: removeEndedRevisions(writing, tenantId, { keys, nowMs }),
    }));
  }

  #readLineage(
    tx: ReadTx,
    state: SweepState,
    at: At & { readonly stage: LineageStage },
  ): ReadSlice {
    const tenantId = this.#tenantId;
    const { find, remove } = lineageSweeps[at.stage];
    return slicePast(state, find(tx, tenantId, at), (writing, found) => {
      for (const entry of found) {
        if (remove(writing, tenantId, entry, at.nowMs)) return { from: entry.key };
      }
      return {};
    });
  }

  #readReads(tx: ReadTx, state: SweepState, at: At): ReadSlice {
    const tenantId = this.#tenantId;
    const { nowMs } = at;
    return slicePast(state, endedReads(tx, tenantId, at), (writing, keys) => {
      removeEndedReads(writing, tenantId, { keys, nowMs });
      return {};
    });
  }

  #readRecords(tx: ReadTx, state: SweepState, at: At): ReadSlice {
    const tenantId = this.#tenantId;
    const { found: records, next } = goneRecords(tx, tenantId, at);
    const { nowMs } = at;
    const last = records.at(-1);
    if (last === undefined) {
      return { state: next === undefined ? finished(state, nowMs) : movedTo(state, next) };
    }
    return {
      // After the last record, the next slice finds nothing and ends the walk.
      state: movedTo(state, next ?? afterKey(last.key)),
      remove: (writing) => {
        const done = removeGoneRecords(writing, tenantId, { records, nowMs });
        const from = done.next === undefined ? {} : { from: done.next };
        return { records: done.removed, ...from };
      },
    };
  }

  /** Removes what a slice found, and stores how far the walk has got. */
  #store(
    tx: WriteTx,
    { state, remove }: ReadSlice,
    event: { readonly id: string; readonly nowMs: number } | undefined,
  ): SweepState | undefined {
    const stored = findSweep(tx, this.#tenantId);
    const { revisions = 0, records = 0, from } = remove?.(tx) ?? {};
    // Another server may walk too, so only the store knows what was removed and not reported.
    const counts = {
      revisions: (stored?.revisions ?? 0) + revisions,
      records: (stored?.records ?? 0) + records,
    };
    const isSameWalk = stored?.startedAtMillis === state.startedAtMillis;
    const latest = isSameWalk || stored === undefined ? state : stored;
    const moved = { ...(from === undefined ? latest : movedTo(latest, from)), ...counts };
    const after = event === undefined ? moved : this.#report(tx, moved, event);
    putSweep(tx, this.#tenantId, after);
    // If another walk has begun meanwhile, the next call resumes that one.
    return isSameWalk ? after : undefined;
  }

  /** Records what was removed, if anything. */
  #report(
    tx: WriteTx,
    state: SweepState,
    { id, nowMs }: { readonly id: string; readonly nowMs: number },
  ): SweepState {
    const { revisions, records } = state;
    if (revisions === 0 && records === 0) return state;
    const draft: AuditDraft = {
      id,
      type: 'retention_applied',
      atMillis: nowMs,
      tenantId: this.#tenantId,
      userId: null,
      username: null,
      action: 'retention_applied',
      resource: `retention:${this.#tenantId}`,
      result: 'success',
      ipAddress: null,
      userAgent: null,
      metadata: { revisions, records },
    };
    this.#parts.audit.changed(tx, draft);
    return { ...state, revisions: 0, records: 0 };
  }
}

/** Removes what a slice found, if anything, and goes on behind it or with the next stage. */
function slicePast<T>(
  state: SweepState,
  { found, next }: Slice<T>,
  remove: (tx: WriteTx, found: readonly T[]) => Removed,
): ReadSlice {
  const after = next === undefined ? atNextStage(state) : movedTo(state, next);
  if (found.length === 0) return { state: after };
  return { state: after, remove: (tx) => remove(tx, found) };
}

function atNextStage(state: SweepState): SweepState {
  const index = SWEEP_STAGES.indexOf(state.stage);
  return { ...state, stage: SWEEP_STAGES[index + 1] ?? 'records', from: null };
}

function movedTo(state: SweepState, next: Uint8Array): SweepState {
  return { ...state, from: asBuffer(next).toString('hex') };
}

function finished(state: SweepState, nowMs: number): SweepState {
  return { ...state, finishedAtMillis: nowMs };
}

/** A due entry of the queue, and the first revisions that it names. */
interface DuePurge {
  readonly key: Uint8Array;
  readonly revisions: readonly Uint8Array[];
}

/** Returns the first due entry of the queue of a tenant, or `undefined`. */
function nextPurge(tx: ReadTx, tenantId: string, nowMs: number): DuePurge | undefined {
  const key = firstDuePurge(tx, tenantId, nowMs);
  if (key === undefined) return undefined;
  const { digest, recordId } = recordInKey(key);
  const recordKey = { namespace: { tenantId, digest }, recordId };
  return { key, revisions: revisionKeys(tx, recordKey, REMOVED_AT_ONCE) };
}

/** Removes the revisions of an entry, and the entry with the last of them; returns their number. */
function removePurged(
  tx: WriteTx,
  tenantId: string,
  { purge, nowMs }: { readonly purge: DuePurge; readonly nowMs: number },
): number {
  const { key, revisions } = purge;
  const { digest, recordId } = recordInKey(key);
  const state = findRecordState(tx, { tenantId, digest }, recordId)?.value;
  // A record that was restored meanwhile keeps its revisions, and so does one that is kept.
  const isOver = state === undefined || (state.isDeleted && (state.keptUntilMillis ?? 0) <= nowMs);
  // Another server may have removed some.
  const removed = isOver ? revisions.filter((each) => tx.get(each) !== undefined) : [];
  for (const each of removed) tx.remove(each);
  if (!isOver || revisions.length < REMOVED_AT_ONCE) tx.remove(key);
  return removed.length;
}
