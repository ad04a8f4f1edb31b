/** Reads memory as it is, or as it was: the one way from a scope and an `as_of` to its records. */
import { baseOf, branchOf, type Namespace } from '../../access/namespace.js';
import { liveBranch } from '../branch/live-branch.js';
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import type { ScanMemory } from '../../runtime/ports/memory-scan.js';
import type { Runtime } from '../../runtime/services/runtime.js';
import { keyText } from '../../storage/store/bytes.js';
import type { ReadTx, SnapshotTx } from '../../storage/store/store.js';
import { cursorsOf } from '../journal/change-cursor.js';
import type { NamedRecord } from '../record/memory-store.js';
import { scanStored } from '../record/scan-memory.js';
import type { AsOf } from '../documents/as-of-schema.js';
import { buildView, type ViewPlace, type ViewRequest } from './build-view.js';
import { completeFrom } from './complete-from.js';
import { currentSource, type MemorySource } from './memory-source.js';
import type { MemoryView } from './memory-view.js';
import { OpenedView } from './opened-view.js';
import { scanThroughView } from './view-scan.js';

/** Changed records that one transaction looks up before a search. */
const LEARNED_AT_ONCE = 128;

/** What a read of some namespaces goes through. */
export interface ReadThrough {
  /** The request, with a store whose reads follow the views. */
  readonly request: ViewRequest;
  /** That store. */
  readonly store: Pick<Runtime['store'], 'read'>;
  /** One for each namespace. */
  readonly sources: readonly MemorySource[];
  /** When the records are looked at, which decides what has expired. */
  readonly atMillis: number;
}

/** A view during a call. */
export interface UsedView {
  readonly view: MemoryView;
  opened: OpenedView | undefined;
}

/**
 * Returns what a read of some namespaces goes through: the entries as they are, without `as_of`.
 *
 * @throws {AgentkeepError} `history_gone`; `invalid_request` for a cursor of another feed.
 */
export async function readThrough(
  request: ViewRequest,
  namespaces: readonly Namespace[],
  asOf: AsOf | null | undefined,
): Promise<ReadThrough> {
  const { runtime, nowMs } = request;
  const scan = runtime.scanMemory ?? scanStored;
  const state = asOf ?? undefined;
  const then = state !== undefined && isCurrent(state, nowMs) ? undefined : state;
  const used: UsedView[] = [];
  const sources: MemorySource[] = [];
  for (const namespace of namespaces) {
    const view = await viewOf(request, namespace, then);
    const each = view && { view, opened: undefined };
    sources.push(each === undefined ? currentSource(namespace, scan) : sourceOf(each, scan));
    if (each !== undefined) used.push(each);
  }
  const isLater = state !== undefined && 'millis' in state && then === undefined;
  const atMillis = isLater ? state.millis : nowMs;
  if (used.length === 0) return { request, store: runtime.store, sources, atMillis };
  const store = viewedStore(request, used);
  return {
    store,
    get request() {
      return withStore(request, store);
    },
    sources,
    atMillis: then === undefined ? atMillis : (used[0]?.view.atMillis ?? nowMs),
  };
}

/** Looks up every changed record of a read, in slices, so that a search reads no more at once. */
export async function learnChanges({ request, store, sources }: ReadThrough): Promise<void> {
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
  { request, store, sources }: ReadThrough,
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
function isCurrent(asOf: AsOf, nowMs: number): boolean {
  return 'millis' in asOf && asOf.millis >= nowMs;
}

const FOREIGN_CURSOR = { path: 'as_of.cursor', expected: 'a cursor of the change feed' };

/** Returns the view that a namespace is read through: of a branch, or of an earlier state. */
async function viewOf(
  request: ViewRequest,
  namespace: Namespace,
  asOf: AsOf | undefined,
): Promise<MemoryView | undefined> {
  if (branchOf(namespace.parts) !== undefined) return branchView(request, namespace);
  return asOf === undefined ? undefined : earlierView(request, namespace, asOf);
}

/** Returns the view of a branch: its records, and those of the scope at its position. */
async function branchView(request: ViewRequest, branch: Namespace): Promise<MemoryView> {
  const { heldViews, store } = request.runtime;
  const name = `${branch.tenantId} ${keyText(branch.digest)}`;
  const held = heldViews.find(name) as MemoryView | undefined;
  if (held !== undefined) return held;
  const found = await store.read((tx) => liveBranch(tx, branch, request.nowMs));
  const position = Buffer.from(found?.position ?? '', 'hex');
  const view = await buildView(request, baseOf(branch), { position, branch });
  heldViews.hold(name, name, view);
  return view;
}

/** Returns a view that is held, or makes it. */
async function earlierView(
  request: ViewRequest,
  namespace: Namespace,
  asOf: AsOf,
): Promise<MemoryView> {
  const { heldViews } = request.runtime;
  const space = `${namespace.tenantId} ${keyText(namespace.digest)}`;
  // A cursor that was opened before need not be opened again.
  const said = `${space} ${'millis' in asOf ? String(asOf.millis) : asOf.cursor}`;
  const known = heldViews.find(said) as MemoryView | undefined;
  if (known !== undefined) return known;
  const place = await placeOf(request, namespace, asOf);
  const name = 'millis' in place ? said : `${space} ${keyText(place.position)}`;
  const held = heldViews.find(name) as MemoryView | undefined;
  const view = held ?? (await buildView(request, namespace, place));
  heldViews.hold(name, said, view);
  return view;
}

async function placeOf(
  { runtime }: ViewRequest,
  { tenantId }: Namespace,
  asOf: AsOf,
): Promise<ViewPlace> {
  if ('millis' in asOf) return asOf;
  const cursors = await cursorsOf(runtime, tenantId);
  return { position: cursors.open(asOf.cursor, FOREIGN_CURSOR) };
}

function sourceOf(used: UsedView, scan: ScanMemory): MemorySource {
  const opened = (): OpenedView => {
    if (used.opened === undefined) throw new TypeError('A view is read through its own store.');
    return used.opened;
  };
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
    isLearned: (nowMs) => used.view.isLearned(nowMs),
    learn: (from, most) => opened().learn(from, most),
  };
}

/** Returns a store whose reads open the views, and wait until these have followed the journal. */
function viewedStore(request: ViewRequest, used: readonly UsedView[]): Runtime['store'] {
  const { store } = request.runtime;
  const read = async <T>(body: (tx: SnapshotTx) => T): Promise<T> => {
    for (;;) {
      const done = await store.read((tx) => readOnce(tx, used, request.runtime.clock.now(), body));
      for (const opened of done.opened) opened.adopt();
      if (done.isWhole) return done.value;
      await request.turn();
    }
  };
  const readOrExplain = async <T>(body: (tx: SnapshotTx) => T): Promise<T> => {
    try {
      return await read(body);
    } catch (error) {
      if (!(error instanceof AgentkeepError) || error.code !== 'history_gone') throw error;
      throw await completeFrom(
        request,
        used.map(({ view }) => view),
      );
    }
  };
  return {
    isShared: store.isShared,
    read: readOrExplain,
    transact: (body) => store.transact(body),
  };
}

type ReadOnce<T> = { readonly opened: readonly OpenedView[] } & (
  { readonly isWhole: true; readonly value: T } | { readonly isWhole: false }
);

function readOnce<T>(
  tx: SnapshotTx,
  used: readonly UsedView[],
  nowMs: number,
  body: (tx: SnapshotTx) => T,
): ReadOnce<T> {
  const opened = used.map(({ view }) => new OpenedView(view, tx, nowMs));
  if (!opened.every(({ isWhole }) => isWhole)) return { opened, isWhole: false };
  try {
    used.forEach((each, index) => {
      each.opened = opened[index];
    });
    return { opened, isWhole: true, value: body(tx) };
  } finally {
    for (const each of used) each.opened = undefined;
  }
}

/** Returns a request with another store. */
function withStore(request: ViewRequest, store: Runtime['store']): ViewRequest {
  const runtime = Object.create(request.runtime) as { -readonly [P in keyof Runtime]: Runtime[P] };
  runtime.store = store;
  return { runtime, nowMs: request.nowMs, turn: () => request.turn() };
}
