/**
 * The storage port: an ordered map of byte keys to byte values with consistent reads and
 * serializable, durable transactions. All stored data goes through it.
 */

/** One stored pair. Its bytes belong to the store: see {@link ReadTx.get}. */
export interface Entry {
  readonly key: Uint8Array;
  readonly value: Uint8Array;
}

/** A span of keys in ascending byte order, `from` inclusive and `to` exclusive. */
export interface KeyRange {
  readonly from: Uint8Array;
  readonly to: Uint8Array;
  /** Most entries to yield; absent means all. */
  readonly limit?: number;
  /** Yield from the greatest key down. */
  readonly reverse?: boolean;
}

/** A consistent view of the store, alive only while the body that it was handed to runs. */
export interface ReadTx {
  /**
   * The value under a key, or `undefined`. The bytes are on loan: the next call on the same
   * transaction may overwrite them, so decode or copy them at once, and never change them.
   */
  get(key: Uint8Array): Uint8Array | undefined;
  /**
   * The entries of a span in key order. Entries are on loan until the next step. The store is not
   * touched in between steps: every other call throws while a range is open. Leaving a loop closes
   * its range.
   */
  range(range: KeyRange): Iterable<Entry>;
  /**
   * Returns the key, or the first parts of one, as ranges return it. Only a store that keeps
   * digests instead of some texts of keys offers this.
   */
  storedKey?(key: Uint8Array): Uint8Array;
}

/** A view of committed state. */
export interface SnapshotTx extends ReadTx {
  /**
   * Returns a position at or below which no later commit appends. This state has every entry below
   * it that was ever appended and is not removed. It may have entries above it whose neighbours are
   * not committed yet.
   */
  horizon(): Uint8Array;
}

/** A view that also writes. It reads its own writes; nothing else sees them before the commit. */
export interface WriteTx extends ReadTx {
  /** Stores a value under a key of 1 to {@link KEY_BYTES_MAX} bytes. The store copies both. */
  put(key: Uint8Array, value: Uint8Array): void;
  /** Removes a key; absent keys are fine. */
  remove(key: Uint8Array): void;
  /**
   * Stores a value under a key that begins with `prefix` and ends with a position of
   * {@link POSITION_BYTES} bytes. The store chooses it at the commit: above the positions of all
   * commits that ended before this one began, and of all that this one depends on. Entries of one
   * body keep their order. The body itself does not see the entry. The store copies both.
   */
  append(prefix: Uint8Array, value: Uint8Array): void;
  /**
   * What the body tells the code that runs the transaction about its writes. Notes belong to the
   * writes: a discarded run discards both. Stores don't read them.
   */
  readonly notes: object[];
}

/** What a store holds, in bounded time and without a scan. */
export interface StoreStats {
  /** Entries of all subspaces. */
  readonly entries: number;
  /** Bytes that the store occupies on disk; for a store in memory, the bytes of keys and values. */
  readonly sizeBytes: number;
  /** Bytes that it may grow to before it remaps. Equals `sizeBytes` for stores without a map. */
  readonly mapSizeBytes: number;
}

/** The commits of a store in this process since it was opened. Each number only grows. */
export interface CommitCounts {
  /** Commits that succeeded. Many bodies may share one. */
  readonly commits: number;
  /** Bodies in them. */
  readonly bodies: number;
  /** Commits that failed, so that none of their writes is stored. */
  readonly failures: number;
}

/**
 * The writes of one body, by key as text of one character per byte; `undefined` is a removal. A
 * `Map` is one.
 */
export type CommittedWrites = Pick<ReadonlyMap<string, Uint8Array | undefined>, 'keys' | 'get'>;

/**
 * Follows the commits of a store, to keep data that is derived from stored data in step with it.
 */
export interface CommitObserver {
  /**
   * Must be called for each body that runs in one transaction with others, before the next one
   * runs, so before the commit. Must not throw. The values are on loan until it returns.
   */
  written?(writes: CommittedWrites): void;
  /**
   * Called for each body of a commit, in order, after the commit and before any read sees it. Must
   * not throw. The values are on loan until it returns.
   */
  committed(writes: CommittedWrites): void;
  /** Called when a commit failed. Data that is derived from stored data must be read again. */
  failed(): void;
}

/** A result, or a promise of it if something had to wait. */
export type Settled<T> = T | Promise<T>;

/** What a body returned on data that may be outdated. */
export interface Supposed<T> {
  readonly result: T;
  /** Whether the body would read the same values in a transaction. */
  holds(tx: ReadTx): boolean;
}

/**
 * Reads and transactions. A **body** is a synchronous, pure function: no `await`, no clock, no
 * randomness and no effect but its writes and notes, because a store may run it more than once. A
 * body that throws leaves no trace and its error reaches the caller as it is; a body that returns a
 * promise is refused with a `TypeError` and leaves no trace either. On a remote engine, a read that
 * a body chooses by what it read before is a round trip.
 */
export interface Transactions {
  /**
   * Whether other processes may change the data while this one has it open. Remembered data of a
   * shared store may be out of date at the next transaction.
   */
  readonly isShared: boolean;
  /** Runs a body against a consistent state in which everything is already durable. */
  read<T>(body: (tx: SnapshotTx) => T): Promise<T>;
  /**
   * Runs a body at once on the values that were last known; `undefined` if it reads others. Throws
   * what the body throws. Only a store that waits for reads, and so remembers values, offers this.
   */
  suppose?<T>(body: (tx: ReadTx) => T): Supposed<T> | undefined;
  /**
   * Runs a body atomically and serializably; resolves only once its writes are durable.
   * @throws {AgentkeepError} `store_full`, `store_unavailable` or `store_closed`; nothing is stored then.
   */
  transact<T>(body: (tx: WriteTx) => T): Promise<T>;
}

/** A committed state that can be read in several turns of the event loop while writes go on. */
export interface HeldState {
  /**
   * Returns the entries of a span in key order, as bytes of their own.
   * @throws {AgentkeepError} `store_closed` once the state or its store is closed.
   */
  entries(range: KeyRange): Promise<Entry[]>;
  /** Releases the state. A second call does nothing. */
  close(): Promise<void>;
}

/** The storage port. */
export interface Store extends Transactions {
  /**
   * Holds the current committed state until it is closed. Pages or versions of entries that it
   * needs are not reused meanwhile, so hold few of them, and for minutes at most.
   */
  hold(): Promise<HeldState>;
  /** Writes a consistent, durable copy into an empty or absent directory, while writes go on. */
  backup(directory: string): Promise<void>;
  stats(): Promise<StoreStats>;
  /** Whether its files are still where it opened them; absent where it has no files of its own. */
  isInPlace?(): Promise<boolean>;
  /**
   * How many bodies were accepted and are not answered yet, in this process. A body that is
   * answered synchronously counts while it runs; a read that never waits does not have to count.
   * Counted in memory: it answers even if the engine does not, and after `close`.
   */
  waiting(): Promise<number>;
  /** Returns the commits so far, from memory, also after `close`. A store may count none. */
  commits?(): CommitCounts;
  /**
   * Calls back with every entry in key order, in slices that let other work run in between. Bytes
   * are on loan as in `range`. It is not one snapshot while writes go on.
   */
  scan(visit: (entry: Entry) => void): Promise<void>;
  /**
   * Adds an observer for as long as the store is open. Only a store that sees every commit offers
   * this, so never one that is shared. It also runs each body of a read once, on committed data.
   */
  observe?(observer: CommitObserver): void;
  /** Waits for accepted transactions, then releases all. Later calls fail with `store_closed`. */
  close(): Promise<void>;
}

/** Longest key, in bytes: the smallest limit of the known engines. */
export const KEY_BYTES_MAX = 1_978;

/** Longest value, in bytes: far above the largest document, far below the limits of engines. */
export const VALUE_BYTES_MAX = 4_194_304;

/** Bytes of the position that ends an appended key, so its prefix is shorter by so many. */
export const POSITION_BYTES = 16;
