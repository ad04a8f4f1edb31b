/** Reads memory as it is, or as it was: the one way from a scope and an `as_of` to its records. */
import { baseOf, branchOf, type Namespace } from '../../../kernel/access/namespace.js';
import { liveBranch } from '../branch/live-branch.js';
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import type { FollowedNamespace, ScanMemory } from '../../../kernel/ports/memory-scan.js';
import { keyText } from '../../../storage/store/bytes.js';
import type { ReadTx, Settled } from '../../../storage/store/store.js';
import { cursorsOf } from '../journal/change-cursor.js';
import type { NamedRecord } from '../record/memory-store.js';
import { scanStored } from '../record/scan-memory.js';
import type { AsOf } from '../documents/as-of-schema.js';
import { buildView, type ViewPlace, type ViewRequest } from './build-view.js';
import { currentSource, type MemorySource } from './memory-source.js';
import type { MemoryView } from './memory-view.js';
import { heldViews, openedSegments } from './view-cache.js';
import type { OpenedView } from './opened-view.js';
import { scanThroughView } from './view-scan.js';
import { type UsedView, ViewedReads } from './viewed-reads.js';

/** An earlier state: one that a caller names, or the position at which a branch begins. */
type State = AsOf | { readonly base: Uint8Array };

/** Changed records that one transaction looks up before a search. */
const LEARNED_AT_ONCE = 128;

/**
 * Returns what a read of some namespaces goes through: the entries as they are, without `as_of`.
 *
 * @throws {AgentkeepError} `history_gone`; `invalid_request` for a cursor of another feed.
 */
export function readThrough(
  request: ViewRequest,
  namespaces: readonly Namespace[],
  asOf: State | null | undefined,
  use: 'read' | 'search' = 'read',
): Settled<ViewedReads> {
  const state = asOf ?? undefined;
  const isNow = state !== undefined && isCurrent(state, request.nowMs);
  const then = isNow ? undefined : state;
  const views = namespaces.map((namespace) => heldView(request, namespace, then));
  const through = (made: readonly (MemoryView | undefined)[]): ViewedReads => {
    const atMillis = isNow && 'millis' in state ? state.millis : request.nowMs;
    const views = then === undefined ? { made, use, atMillis } : { made, use };
    return throughViews(request, namespaces, views);
  };
  if (views.every((view) => view !== 'unknown')) return through(views);
  return makeViews(request, namespaces, then).then(through);
}

async function makeViews(
  request: ViewRequest,
  namespaces: readonly Namespace[],
  then: State | undefined,
): Promise<(MemoryView | undefined)[]> {
  const views: (MemoryView | undefined)[] = [];
  for (const namespace of namespaces) views.push(await viewOf(request, namespace, then));
  return views;
}

/** The views of a call, by the index of their namespaces. */
interface MadeViews {
  readonly made: readonly (MemoryView | undefined)[];
  readonly use: 'read' | 'search';
  /** When the records are looked at; absent for the time of the views. */
  readonly atMillis?: number;
}

function throughViews(
  request: ViewRequest,
  namespaces: readonly Namespace[],
  { made, use, atMillis }: MadeViews,
): ViewedReads {
  const { runtime, nowMs } = request;
  const { scanMemory: scan = scanStored, segmentFollower, textsOf } = openedSegments.of(runtime);
  const used: UsedView[] = [];
  const followed: FollowedNamespace[] = [];
  const sources = namespaces.map((namespace, index) => {
    const view = made[index];
    if (view === undefined) {
      const segments = use === 'search' ? segmentFollower?.follow(namespace) : undefined;
      if (segments !== undefined) followed.push(segments);
      return currentSource(namespace, segments?.scan ?? scan, textsOf?.(namespace));
    }
    const each = usedView(view, scan);
    used.push(each);
    return each.source;
  });
  const millis = atMillis ?? used[0]?.view.atMillis ?? nowMs;
  return new ViewedReads(request, { used, followed }, { sources, atMillis: millis });
}

/** Looks up every changed record of a read, in slices, so that a search reads no more at once. */
export async function learnChanges({ request, store, sources }: ViewedReads): Promise<void> {
  for (const { learn, isLearned } of sources) {
    if (learn === undefined || isLearned?.(request.runtime.clock.now()) === true) continue;
    for (let from = 0; ;) {
      const start = from;
      from = await store.read(() => learn(start, LEARNED_AT_ONCE));
      if (from < start + LEARNED_AT_ONCE) break;
      await request.turn();
    }
  }
}

/** Returns the record with a name as it is shown, expired or not, or `undefined`. */
export async function readNamed(
  { request, store, sources }: ViewedReads,
  name: string,
  show: (tx: ReadTx, found: NamedRecord) => NamedRecord,
): Promise<NamedRecord | undefined> {
  const [source] = sources;
  const holder = await store.read((tx) => {
    const found = source?.findNamed(tx, name);
    return found && show(tx, found);
  });
  const findFormer = source?.findFormer;
  if (holder !== undefined || findFormer === undefined) return holder;
  for (let [from, isGone] = [0, false]; ;) {
    const [start, wasGone] = [from, isGone];
    const slice = await store.read((tx) => {
      const former = findFormer(name, start, LEARNED_AT_ONCE);
      const isLast = former.next < start + LEARNED_AT_ONCE;
      const isUnknown = former.found === undefined && (former.isGone || wasGone);
      if (isLast && isUnknown) throw new AgentkeepError('history_gone');
      return { ...former, found: former.found && show(tx, former.found), isLast };
    });
    if (slice.found !== undefined || slice.isLast) return slice.found;
    [from, isGone] = [slice.next, wasGone || slice.isGone];
    await request.turn();
  }
}

/** Whether a state is the current one: what is committed until a time to come is not settled. */
function isCurrent(asOf: State, nowMs: number): boolean {
  return 'millis' in asOf && asOf.millis >= nowMs;
}

const FOREIGN_CURSOR = { path: 'as_of.cursor', expected: 'a cursor of the change feed' };

/** Returns the view that a namespace is read through if that is held. */
function heldView(
  { runtime }: ViewRequest,
  namespace: Namespace,
  asOf: State | undefined,
): MemoryView | undefined | 'unknown' {
  const isBranch = branchOf(namespace.parts) !== undefined;
  if (!isBranch && asOf === undefined) return undefined;
  const name = isBranch || asOf === undefined ? nameOf(namespace) : nameAt(namespace, asOf);
  return heldViews.of(runtime).find(name) ?? 'unknown';
}

function nameOf({ tenantId, digest }: Namespace): string {
  return `${tenantId} ${keyText(digest)}`;
}

function nameAt(namespace: Namespace, asOf: State): string {
  if ('base' in asOf) return `${nameOf(namespace)} base ${keyText(asOf.base)}`;
  const place = 'millis' in asOf ? String(asOf.millis) : asOf.cursor;
  return `${nameOf(namespace)} ${place}${leavesOut(asOf) ? LEFT_OUT : ''}`;
}

const LEFT_OUT = ' left out';

function leavesOut(asOf: State): boolean {
  return 'missing' in asOf && asOf.missing === 'left_out';
}

/** Returns how many records a query or search leaves out, if it asks for that. */
export function missingIn(
  { sources }: ViewedReads,
  asOf: AsOf | null | undefined,
): { readonly missing_records?: number } {
  if (asOf === null || asOf === undefined || !leavesOut(asOf)) return {};
  return { missing_records: sources.reduce((sum, { missing }) => sum + (missing?.() ?? 0), 0) };
}

/** Returns the view that a namespace is read through: of a branch, or of an earlier state. */
async function viewOf(
  request: ViewRequest,
  namespace: Namespace,
  asOf: State | undefined,
): Promise<MemoryView | undefined> {
  if (branchOf(namespace.parts) !== undefined) return branchView(request, namespace);
  return asOf === undefined ? undefined : earlierView(request, namespace, asOf);
}

/** Returns the view of a branch: its records, and those of the scope at its position. */
async function branchView(request: ViewRequest, branch: Namespace): Promise<MemoryView> {
  const { store } = request.runtime;
  const views = heldViews.of(request.runtime);
  const name = nameOf(branch);
  const held = views.find(name);
  if (held !== undefined) return held;
  const use = { subjectId: request.credential.spec.subject_id, nowMs: request.nowMs };
  const found = await store.read((tx) => liveBranch(tx, branch, use));
  const position = Buffer.from(found?.position ?? '', 'hex');
  const view = await buildView(request, baseOf(branch), { position, branch });
  views.hold(name, name, view);
  return view;
}

/** Returns a view that is held, or makes it. */
async function earlierView(
  request: ViewRequest,
  namespace: Namespace,
  asOf: State,
): Promise<MemoryView> {
  const views = heldViews.of(request.runtime);
  // A cursor that was opened before need not be opened again.
  const said = nameAt(namespace, asOf);
  const known = views.find(said);
  if (known !== undefined) return known;
  const place = await placeOf(request, namespace, asOf);
  const isNamed = 'millis' in place || place.isBase === true;
  const kind = place.leavesOut === true ? LEFT_OUT : '';
  const name = isNamed ? said : `${nameOf(namespace)} ${keyText(place.position)}${kind}`;
  const held = views.find(name);
  const view = held ?? (await buildView(request, namespace, place));
  views.hold(name, said, view);
  return view;
}

async function placeOf(
  { runtime }: ViewRequest,
  { tenantId }: Namespace,
  asOf: State,
): Promise<ViewPlace> {
  if ('base' in asOf) return { position: asOf.base, isBase: true };
  const given = { leavesOut: leavesOut(asOf) };
  if ('millis' in asOf) return { ...given, millis: asOf.millis };
  const cursors = await cursorsOf(runtime, tenantId);
  return { ...given, position: cursors.open(asOf.cursor, FOREIGN_CURSOR) };
}

/** Sources are made once for each view: a read opens it, and no two reads run at a time. */
const usedViews = new WeakMap<MemoryView, UsedView>();

function usedView(view: MemoryView, scan: ScanMemory): UsedView {
  const known = usedViews.get(view);
  if (known !== undefined) return known;
  const opened = (): OpenedView => {
    if (used.opened === undefined) throw new TypeError('A view is read through its own store.');
    return used.opened;
  };
  const used: UsedView = { view, source: sourceOf(view, opened, scan), opened: undefined };
  usedViews.set(view, used);
  return used;
}

function sourceOf(view: MemoryView, opened: () => OpenedView, scan: ScanMemory): MemorySource {
  return {
    scan: (tx, part) => scanThroughView(scan, opened())(tx, part),
    ofEntry: (_tx, recordId, revision) => {
      const found = opened().find(recordId);
      if (found?.value.revision !== revision) throw new AgentkeepError('storage_inconsistency');
      return found;
    },
    find: (_tx, recordId) => opened().find(recordId),
    findNamed: (_tx, name) => opened().findNamed(name),
    findFormer: (name, from, most) => opened().findFormer(name, from, most),
    revisionAt: (recordId) => opened().revisionAt(recordId),
    isLearned: (nowMs) => view.isLearned(nowMs),
    learn: (from, most) => opened().learn(from, most),
    missing: () => view.missing,
  };
}
