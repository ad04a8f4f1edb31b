/** The LMDB environment of one store. */
import type { Database, RangeOptions, RootDatabase } from 'lmdb';
import type { WriteTarget } from '../store/overlay.js';
import type { Entry, KeyRange, ReadTx } from '../store/store.js';
import { copyDataFile } from './data-file.js';
import { causeOfCommitFailure, readFailure } from './failure.js';
import type { FramePoint } from '../frames/frame.js';
import { type FrameFeed, FrameGap, FrameLog, type FrameRecorder } from '../frames/frame-log.js';
import { type EnvironmentOptions, openRoot } from './open-root.js';
import { Trees } from './trees.js';

const IDENTITY = 'identity';
const STORE_ID = 'store_id';
const PROBE = 'probe';

/** Why a commit failed. */
export interface CommitFailure {
  readonly cause: unknown;
}

/** A state that stays as it is until it ends. */
export interface HeldEnvironment {
  /** As {@link ReadTx.range}. */
  range(range: KeyRange): Iterable<Entry>;
  end(): void;
}

/**
 * An open environment. Its reads throw `store_unavailable` or `storage_inconsistency`. Inside
 * {@link Environment.write} they see the writes of that transaction.
 */
export interface Environment extends ReadTx {
  /**
   * Runs a function in one write transaction, which is durable on return. If the function or the
   * commit throws, nothing is stored and the error is rethrown unchanged.
   */
  write(apply: (target: WriteTarget) => void): void;
  /**
   * As {@link write}, but the commit runs on a thread of LMDB. `apply` runs in a later turn of the
   * event loop, and `settled` once the commit is durable or has failed. Until then reads see the
   * previous state, and nothing else may be written.
   */
  writeAside(
    apply: (target: WriteTarget) => void,
    settled: (failure: CommitFailure | undefined) => void,
  ): Promise<void>;
  /**
   * Writes a frame with every commit from now on. Call it before the first one. `now` returns Unix
   * milliseconds.
   */
  keepFrames(now: () => number): FrameFeed;
  /** Notes with the first commit, if there are frames, that it and the next ones are in none. */
  leaveFrames(): void;
  /**
   * Lets frames be applied that were written elsewhere. Returns what notes, inside of
   * {@link write}, the last one of them, after which the frames of this environment continue.
   */
  followFrames(): (last: FramePoint) => void;
  /** Commits a meaningless write, to test whether commits work. Throws as a commit does. */
  probe(): void;
  /**
   * Returns whether reads work. After a commit that failed halfway, the environment must be
   * reopened.
   */
  isReadable(): boolean;
  /** Holds the newest state. Must not be called while a commit runs aside. */
  hold(): HeldEnvironment;
  /** Returns the entries after a key, or from the start, in key order. */
  after(key: Uint8Array | undefined, limit: number): Iterable<Entry>;
  stats(): { readonly entries: number; readonly mapSizeBytes: number };
  /** Returns whether no other process has read since this one claimed the environment. */
  isAlone(): boolean;
  /** Copies the current data file into an existing directory that has none. */
  copy(directory: string): Promise<void>;
  close(): Promise<void>;
}

/** Creates the data file of a new store, which contains the store's id, in an empty directory. */
export async function createEnvironment(
  options: EnvironmentOptions,
  storeId: string,
): Promise<void> {
  const root = await openRoot(options);
  try {
    const identity = root.openDB<string, string>(IDENTITY, { encoding: 'string' });
    Trees.create(root);
    root.transactionSync(() => {
      identity.putSync(STORE_ID, storeId);
    });
  } finally {
    await root.close();
  }
}

/** An environment that is open but not claimed yet. The caller must claim or close it. */
export interface FoundEnvironment {
  /** The id in the data, or `undefined` if the data is not that of a store. */
  readonly storeId: string | undefined;
  /**
   * Claims the environment for this process. Returns `undefined` if another process owns it.
   */
  claim(): Environment | undefined;
  close(): Promise<void>;
}

/** Opens an environment that {@link createEnvironment} created. */
export async function openEnvironment(options: EnvironmentOptions): Promise<FoundEnvironment> {
  const root = await openRoot(options);
  try {
    const identity = openIdentity(root);
    const trees = Trees.open(root);
    return {
      storeId: trees === undefined ? undefined : readStoreId(root, identity),
      claim: () => {
        if (identity === undefined || trees === undefined || !claim(root)) return undefined;
        return new LmdbEnvironment(options.directory, root, identity, trees);
      },
      close: () => root.close(),
    };
  } catch (error) {
    await root.close();
    throw error;
  }
}

/**
 * Claims an environment by taking the first slot of its reader table inside a write transaction,
 * which only one process can be in at a time. LMDB empties the table, under a kernel lock, when it
 * opens a file that no live process has open. A used table therefore means a live owner, regardless
 * of process ids, containers and clocks.
 */
function claim(root: RootDatabase): boolean {
  return root.transactionSync(() => {
    if (usedSlots(root) > 0) return false;
    root.useReadTransaction().done();
    return true;
  });
}

/** Returns the number of slots of the reader table used since LMDB last emptied it. */
function usedSlots(root: RootDatabase): number {
  const { numReaders } = root.getStats() as { numReaders: number };
  return numReaders;
}

/**
 * Copies the data file of an environment as of its last commit, whether or not a process has
 * claimed it. The copy has its own slot in the reader table: it does not disturb an owner, but no
 * process can claim the environment while it runs.
 */
export async function copyUnclaimed(
  { directory, mapSizeBytes }: Omit<EnvironmentOptions, 'isSynced'>,
  target: string,
): Promise<void> {
  const root = await openRoot({ directory, mapSizeBytes, isSynced: true, isReadOnly: true });
  try {
    await copyOpen(root, directory, target);
  } finally {
    await root.close();
  }
}

/** Copies the data file of an open environment, while a read transaction keeps its pages. */
async function copyOpen(root: RootDatabase, directory: string, target: string): Promise<void> {
  const transaction = root.useReadTransaction();
  try {
    await copyDataFile(directory, target);
  } finally {
    transaction.done();
  }
}

/** Reads inside a write transaction, which uses no slot of the reader table. */
function readStoreId(
  root: RootDatabase,
  identity: Database<string, string> | undefined,
): string | undefined {
  return root.transactionSync(() => identity?.get(STORE_ID));
}

function openIdentity(root: RootDatabase): Database<string, string> | undefined {
  const options: object = { encoding: 'string', create: false };
  // openDB returns `undefined` if there is no such database, contrary to its types.
  return root.openDB<string, string>(IDENTITY, options);
}

class LmdbEnvironment implements Environment {
  readonly #directory: string;
  readonly #root: RootDatabase;
  readonly #identity: Database<string, string>;
  readonly #trees: Trees;
  #frames: FrameRecorder | undefined;

  constructor(
    directory: string,
    root: RootDatabase,
    identity: Database<string, string>,
    trees: Trees,
  ) {
    this.#directory = directory;
    this.#root = root;
    this.#identity = identity;
    this.#trees = trees;
  }

  get(key: Uint8Array): Uint8Array | undefined {
    try {
      return this.#trees.get(key);
    } catch (error) {
      throw readFailure(error);
    }
  }

  range(range: KeyRange): Iterable<Entry> {
    return this.#rangeIn(range, {});
  }

  hold(): HeldEnvironment {
    const transaction = this.#trees.beginRead();
    return {
      range: (range) => this.#rangeIn(range, { transaction }),
      end: () => {
        transaction.done();
      },
    };
  }

  #rangeIn({ from, to, limit, reverse }: KeyRange, state: RangeOptions): Iterable<Entry> {
    const bounds = reverse === true ? { start: to, end: from } : { start: from, end: to };
    // An empty upper bound is below every key, but the `lmdb` package treats it as no bound.
    if (to.length === 0) return [];
    const options = {
      ...state,
      ...bounds,
      ...(limit === undefined ? {} : { limit }),
      ...(reverse === true ? { reverse, exclusiveStart: true, inclusiveEnd: true } : {}),
    };
    return this.#iterate(() => this.#trees.range(options, from, to));
  }

  after(key: Uint8Array | undefined, limit: number): Iterable<Entry> {
    const options = { start: key ?? new Uint8Array(), exclusiveStart: key !== undefined, limit };
    return this.#iterate(() => this.#trees.range(options));
  }

  write(apply: (target: WriteTarget) => void): void {
    let isCommitted = false;
    try {
      this.#root.transactionSync(() => {
        // A block body, because a returned promise would defer the commit.
        this.#apply(apply);
      });
      isCommitted = true;
    } finally {
      this.#frames?.settle(isCommitted);
    }
  }

  async writeAside(
    apply: (target: WriteTarget) => void,
    settled: (failure: CommitFailure | undefined) => void,
  ): Promise<void> {
    let failure: CommitFailure | undefined;
    try {
      // A child transaction, because LMDB's outer one is committed even if its function throws.
      await this.#root.childTransaction(() => {
        this.#apply(apply);
        this.#trees.holdReads();
      });
    } catch (error) {
      failure = { cause: await causeOfCommitFailure(error) };
    }
    this.#trees.releaseReads();
    this.#frames?.settle(failure === undefined);
    // In the same turn, so that no other read comes before it.
    settled(failure);
  }

  keepFrames(now: () => number): FrameFeed {
    const frames = FrameLog.open(this.#root, now);
    this.#frames = frames;
    return frames;
  }

  leaveFrames(): void {
    this.#frames = FrameGap.open(this.#root);
  }

  followFrames(): (last: FramePoint) => void {
    return FrameLog.elsewhere(this.#root);
  }

  /** Runs the function of a transaction and writes its frame, or the gap, if there are frames. */
  #apply(apply: (target: WriteTarget) => void): void {
    if (this.#frames === undefined) {
      apply(this.#trees);
      return;
    }
    apply(this.#frames.begin(this.#trees));
    this.#frames.end();
  }

  probe(): void {
    this.#root.transactionSync(() => {
      this.#identity.putSync(PROBE, PROBE);
    });
  }

  isReadable(): boolean {
    try {
      return this.#identity.get(STORE_ID) !== undefined;
    } catch {
      return false;
    }
  }

  stats(): { readonly entries: number; readonly mapSizeBytes: number } {
    return { entries: this.#trees.count(), mapSizeBytes: this.#trees.mapSizeBytes };
  }

  isAlone(): boolean {
    return usedSlots(this.#root) === 1;
  }

  copy(directory: string): Promise<void> {
    return copyOpen(this.#root, this.#directory, directory);
  }

  close(): Promise<void> {
    return this.#root.close();
  }

  #iterate(start: () => Iterator<Entry, undefined>): Iterable<Entry> {
    return {
      [Symbol.iterator]: () => {
        try {
          return new FailureNamingSteps(start());
        } catch (error) {
          throw readFailure(error);
        }
      },
    };
  }
}

/** Iterates over a range and translates failures to errors of the catalogue. */
class FailureNamingSteps implements Iterator<Entry, undefined> {
  readonly #steps: Iterator<Entry, undefined>;

  constructor(steps: Iterator<Entry, undefined>) {
    this.#steps = steps;
  }

  next(): IteratorResult<Entry, undefined> {
    try {
      return this.#steps.next();
    } catch (error) {
      throw readFailure(error);
    }
  }

  return(): IteratorResult<Entry, undefined> {
    this.#steps.return?.();
    return { done: true, value: undefined };
  }
}
