/** Makes the view of a namespace at a position: follows the journal back to it, in slices. */
import type { Namespace } from '../../../kernel/access/namespace.js';
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import type { InputSchemas } from '../../../kernel/input/input-rules.js';
import type { CallRequest, TenantRequest } from '../../../kernel/operation/requests.js';
import { keyText } from '../../../storage/store/bytes.js';
import { afterPosition, FIRST_POSITION, LAST_POSITION } from '../../../storage/store/position.js';
import type { SnapshotTx } from '../../../storage/store/store.js';
import {
  changesBetween,
  floorOf,
  type PositionedChange,
  revisionBefore,
} from '../journal/change-store.js';
import { MemoryView } from './memory-view.js';

/** Records that may have changed since the position of a view. */
const VIEW_RECORDS_MAX = 250_000;

/** Changes that one transaction follows. */
const SLICE_CHANGES = 1_024;

/** What reads of a view need of their call. */
export type ViewRequest = BuildRequest & Pick<TenantRequest<InputSchemas>, 'credential'>;

/** What the making of a view needs of its call. */
type BuildRequest = Pick<CallRequest<InputSchemas>, 'runtime' | 'turn' | 'nowMs'>;

/** Where a view is: after all changes up to a time, or before all from a position on. */
export type ViewPlace =
  | { readonly millis: number; readonly leavesOut?: boolean }
  | {
      readonly position: Uint8Array;
      readonly branch?: Namespace;
      readonly isBase?: boolean;
      readonly leavesOut?: boolean;
    };

/** How far the journal was followed back. */
interface Progress {
  /** The revision of each changed record before the changes that were seen. */
  readonly revisions: Map<string, number>;
  readonly own: Set<string>;
  /** The position before which to go on; absent at the start. */
  before?: Uint8Array | undefined;
  /** From where the journal is followed on later. */
  upTo?: Uint8Array | undefined;
  /** When the first change after the place was made. */
  firstMillis?: number | undefined;
}

/**
 * Returns a view of a namespace.
 *
 * @throws {AgentkeepError} `history_gone` where changes since are no longer kept, or more records
 * than `recordsMax` have changed.
 */
export async function buildView(
  request: BuildRequest,
  namespace: Namespace,
  place: ViewPlace,
  recordsMax = VIEW_RECORDS_MAX,
): Promise<MemoryView> {
  const progress: Progress = { revisions: new Map(), own: new Set() };
  const branch = 'position' in place ? place.branch : undefined;
  const [own, ofBranch] = [keyText(namespace.digest), branch && keyText(branch.digest)];
  for (;;) {
    const slice = await request.runtime.store.read((tx) =>
      readSlice(tx, namespace, place, progress.before),
    );
    for (const change of slice.changes) {
      const { digest, recordId, action, committedAtMillis } = change;
      progress.firstMillis = committedAtMillis;
      if (keyText(digest) === ofBranch) progress.own.add(recordId);
      if (action === 'redacted' || keyText(digest) !== own) continue;
      progress.revisions.set(recordId, revisionBefore(change));
    }
    progress.upTo ??= slice.top;
    progress.before = slice.changes.at(-1)?.position ?? progress.before;
    if (progress.revisions.size + progress.own.size > recordsMax)
      throw gone(progress.firstMillis ?? 0);
    if (slice.isWhole) return viewAt(request, namespace, place, { slice, progress });
    await request.turn();
  }
}

/** Some changes after the place, the last ones first. */
interface Slice {
  readonly changes: readonly PositionedChange[];
  /** Whether these are all. */
  readonly isWhole: boolean;
  /** The last change before the place, if it is kept. */
  readonly before: PositionedChange | undefined;
  /** Whether changes before the place were removed. */
  readonly floor: Uint8Array | undefined;
  readonly top: Uint8Array;
}

function readSlice(
  tx: SnapshotTx,
  namespace: Namespace,
  place: ViewPlace,
  before: Uint8Array | undefined,
): Slice {
  const { tenantId } = namespace;
  const to = before ?? LAST_POSITION;
  const span = { from: FIRST_POSITION, to, limit: SLICE_CHANGES, reverse: true };
  const rows = changesBetween(tx, tenantId, span);
  const end = rows.findIndex(({ position, committedAtMillis }) =>
    'millis' in place
      ? committedAtMillis <= place.millis
      : Buffer.compare(position, place.position) < 0,
  );
  const changes = end === -1 ? rows : rows.slice(0, end);
  return {
    changes,
    isWhole: end !== -1 || rows.length < SLICE_CHANGES,
    before: end === -1 ? undefined : rows[end],
    floor: floorOf(tx, tenantId),
    top: Uint8Array.from(tx.horizon()),
  };
}

function viewAt(
  { nowMs }: BuildRequest,
  namespace: Namespace,
  place: ViewPlace,
  { slice, progress }: { readonly slice: Slice; readonly progress: Progress },
): MemoryView {
  const { before, floor, top } = slice;
  const { revisions, own, upTo = top, firstMillis = nowMs } = progress;
  const branch = 'position' in place ? place.branch : undefined;
  const isBase = branch !== undefined || ('position' in place && place.isBase === true);
  const position = positionOf(place, slice);
  const isAhead = Buffer.compare(position, top) > 0;
  const isRemoved = floor !== undefined && before === undefined && !isFirst(place, floor);
  if (isAhead || isRemoved) throw gone(firstMillis);
  const millis = before?.committedAtMillis ?? firstMillis;
  const atMillis = 'millis' in place ? place.millis : millis;
  const needed = before === undefined || 'position' in place ? position : before.position;
  return new MemoryView(
    namespace,
    { branch, isBase, leavesOut: place.leavesOut === true, position, needed, atMillis },
    { revisions, own, upTo },
  );
}

/** Whether a place is right behind the last change that was removed. */
function isFirst(place: ViewPlace, floor: Uint8Array): boolean {
  return 'position' in place && Buffer.compare(place.position, floor) > 0;
}

function positionOf(place: ViewPlace, { before, top }: Slice): Uint8Array {
  if ('position' in place) return place.position;
  const after = before === undefined ? FIRST_POSITION : afterPosition(before.position);
  // An earlier commit may still be under way.
  return Buffer.compare(after, top) > 0 ? top : after;
}

function gone(fromMillis: number): AgentkeepError {
  const details = { complete_from_millis: fromMillis };
  return new AgentkeepError('history_gone', { details });
}
