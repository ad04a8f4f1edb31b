/** Finds and removes superseded revisions that are no longer kept. */
import { copyBytes, keyText } from '../../../storage/store/bytes.js';
import { afterKey } from '../../../storage/store/key.js';
import type { ReadTx, WriteTx } from '../../../storage/store/store.js';
import { ifReadable } from '../../../storage/store/value.js';
import { isHeld } from '../branch/branch-store.js';
import { findRecordState } from '../record/memory-store.js';
import { type CurrentState, isDeletedKept, isRevisionKept } from '../retention/retention-policy.js';
import { supersededAt, sweptRevisions } from '../revision/revision-store.js';
import { namespacesIn } from './found-retention.js';
import { revisionInKey } from '../record/keyed-record.js';
import {
  REMOVED_AT_ONCE,
  type Slice,
  SLICE_BYTES,
  SLICE_ENTRIES,
  visitSlice,
} from './sweep-slice.js';

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
