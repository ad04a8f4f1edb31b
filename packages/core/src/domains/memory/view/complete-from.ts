/** Says from when on the history of namespaces is complete, where an answer needed more of it. */
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { keyText } from '../../../storage/store/bytes.js';
import { afterPosition, LAST_POSITION } from '../../../storage/store/position.js';
import type { ReadTx } from '../../../storage/store/store.js';
import { changesBetween, floorOf, revisionBefore } from '../journal/change-store.js';
import { expiredSince } from '../retention/retention-policy.js';
import { retentionOf } from '../retention/retention-store.js';
import type { ViewRequest } from './build-view.js';
import type { MemoryView } from './memory-view.js';
import { standingRecord } from './standing-record.js';

/** Changes of one transaction; each looks up a revision. */
const SLICE_CHANGES = 128;

/** Returns the error that names the time: the last one at which a missing revision was replaced. */
export async function completeFrom(
  request: ViewRequest,
  views: readonly MemoryView[],
): Promise<AgentkeepError> {
  let millis = 0;
  for (const view of views) {
    for (let from = view.position; ;) {
      const start = from;
      const slice: ReadSlice = await request.runtime.store.read((tx) =>
        readSlice(tx, view, start, request.nowMs),
      );
      millis = Math.max(millis, slice.millis);
      if (slice.next === undefined) break;
      from = slice.next;
      await request.turn();
    }
  }
  return new AgentkeepError('history_gone', { details: { complete_from_millis: millis } });
}

/** The last time at which a missing revision was replaced, and where to go on. */
interface ReadSlice {
  readonly millis: number;
  readonly next: Uint8Array | undefined;
}

function readSlice(
  tx: ReadTx,
  { namespace, atMillis, needed, leavesOut }: MemoryView,
  from: Uint8Array,
  nowMs: number,
): ReadSlice {
  const span = { from, to: LAST_POSITION, limit: SLICE_CHANGES };
  const changes = changesBetween(tx, namespace.tenantId, span);
  const judgement = { retention: retentionOf(tx, namespace), nowMs, isHeld: false };
  const since = expiredSince(judgement.retention, nowMs) ?? 0;
  const floor = floorOf(tx, namespace.tenantId);
  const isRemoved = floor !== undefined && Buffer.compare(floor, needed) >= 0;
  const first = isRemoved ? (changes[0]?.committedAtMillis ?? nowMs) : 0;
  let millis = Math.max(first, atMillis < since ? since : 0);
  for (const { digest, recordId, revision, action, committedAtMillis } of changes) {
    const isOwn = keyText(digest) === keyText(namespace.digest);
    const stood = revisionBefore({ action, revision });
    if (leavesOut || !isOwn || action === 'redacted' || stood === 0) continue;
    const before = standingRecord(tx, { namespace, recordId }, stood, judgement);
    if (before === undefined) millis = Math.max(millis, committedAtMillis);
  }
  const last = changes.at(-1);
  const hasMore = changes.length === SLICE_CHANGES && last !== undefined;
  return { millis, next: hasMore ? afterPosition(last.position) : undefined };
}
