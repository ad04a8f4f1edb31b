/** Reads of a view, and the moment from which it is complete. */
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import type { FollowedNamespace, OpenedNamespace } from '../../../kernel/ports/memory-scan.js';
import type { Runtime } from '../../../kernel/services/runtime.js';
import { keyText } from '../../../storage/store/bytes.js';
import { afterPosition, LAST_POSITION } from '../../../storage/store/position.js';
import type { ReadTx, SnapshotTx } from '../../../storage/store/store.js';
import { changesBetween, floorOf, revisionBefore } from '../journal/change-store.js';
import { expiredSince } from '../retention/retention-policy.js';
import { retentionOf } from '../retention/retention-store.js';
import type { ViewRequest } from './build-view.js';
import type { MemorySource } from './memory-source.js';
import type { MemoryView } from './memory-view.js';
import { OpenedView } from './opened-view.js';
import { standingRecord } from './standing-record.js';

/** Changes of one transaction; each looks up a revision. */
const SLICE_CHANGES = 128;

/** Returns the error that names the time: the last one at which a missing revision was replaced. */
async function completeFrom(
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

/** A view with its records, which is open while the body of a read runs. */
export interface UsedView {
  readonly view: MemoryView;
  readonly source: MemorySource;
  opened: OpenedView | undefined;
}

/** Runs a body in a read. */
type Body<T> = (tx: SnapshotTx) => T;

/** What a read of some namespaces goes through. */
export class ViewedReads {
  /** One for each namespace. */
  readonly sources: readonly MemorySource[];
  /** When the records are looked at, which decides what has expired. */
  readonly atMillis: number;
  readonly #request: ViewRequest;
  readonly #used: readonly UsedView[];
  readonly #followed: readonly FollowedNamespace[];

  /** Takes the views, and the followed namespaces, among the sources. */
  constructor(
    request: ViewRequest,
    { used, followed }: Followed,
    { sources, atMillis }: Pick<ViewedReads, 'sources' | 'atMillis'>,
  ) {
    this.#followed = followed;
    this.#request = request;
    this.#used = used;
    this.sources = sources;
    this.atMillis = atMillis;
  }

  /** The request, with a store whose reads follow the views. */
  get request(): ViewRequest {
    if (this.#isPlain) return this.#request;
    const { runtime: given, nowMs, credential } = this.#request;
    const runtime = Object.create(given) as { -readonly [P in keyof Runtime]: Runtime[P] };
    runtime.store = this.store;
    return { runtime, nowMs, credential, turn: () => this.#request.turn() };
  }

  /** That store. */
  get store(): Runtime['store'] {
    const { store } = this.#request.runtime;
    if (this.#isPlain) return store;
    return {
      isShared: store.isShared,
      read: (body) => this.#read(body),
      transact: (body) => store.transact(body),
    };
  }

  /** Reads through that store. */
  read<T>(body: Body<T>): Promise<T> {
    return this.#read(body);
  }

  get #isPlain(): boolean {
    return this.#used.length === 0 && this.#followed.length === 0;
  }

  async #read<T>(body: Body<T>): Promise<T> {
    const { runtime } = this.#request;
    try {
      for (;;) {
        const done = adopted(await runtime.store.read((tx) => this.#readOnce(tx, body)));
        if (done.isWhole) return done.value;
        await this.#request.turn();
      }
    } catch (error) {
      return this.#explain(error);
    }
  }

  async #explain(error: unknown): Promise<never> {
    if (!(error instanceof AgentkeepError) || error.code !== 'history_gone') throw error;
    const views = this.#used.map(({ view }) => view);
    throw await completeFrom(this.#request, views);
  }

  #readOnce<T>(tx: SnapshotTx, body: Body<T>): ReadOnce<T> {
    const { runtime, credential } = this.#request;
    const use = { subjectId: credential.spec.subject_id, nowMs: runtime.clock.now() };
    const used = this.#used;
    const views = used.map(({ view }) => new OpenedView(view, tx, use));
    const namespaces = this.#followed.map((each) => each.open(tx));
    const opened = [...views, ...namespaces];
    if (!views.every(({ isWhole }) => isWhole)) return { opened, isWhole: false };
    try {
      for (const [index, each] of used.entries()) each.opened = views[index];
      if (namespaces.every(({ isWhole }) => isWhole)) {
        return { opened, isWhole: true, value: body(tx) };
      }
      rehearse(namespaces, tx, body);
      return { opened, isWhole: false };
    } finally {
      for (const each of used) each.opened = undefined;
    }
  }
}

/** What the reads of a call follow. */
interface Followed {
  readonly used: readonly UsedView[];
  readonly followed: readonly FollowedNamespace[];
}

/** Runs a body so that a store which has to look up what it reads does so at once. */
function rehearse(opened: readonly OpenedNamespace[], tx: SnapshotTx, body: Body<unknown>): void {
  if (!opened.every(({ isWhole, isRehearsed }) => isWhole || isRehearsed)) return;
  try {
    body(tx);
  } catch {
    // The run that counts reports its own errors.
  }
}

type ReadOnce<T> = { readonly opened: readonly { adopt(): void }[] } & (
  { readonly isWhole: true; readonly value: T } | { readonly isWhole: false }
);

/** Lets the views take over what a read found, once it is over. */
function adopted<T>(done: ReadOnce<T>): ReadOnce<T> {
  for (const opened of done.opened) opened.adopt();
  return done;
}
