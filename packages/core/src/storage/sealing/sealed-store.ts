/** A store over a store: values and texts of keys are sealed on the way down, and opened upward. */
import type {
  CommitCounts,
  CommitObserver,
  CommittedWrites,
  Entry,
  HeldState,
  KeyRange,
  ReadTx,
  SnapshotTx,
  Store,
  StoreStats,
  WriteTx,
} from '../store/store.js';
import { readAtOnce, type Settled } from '../store/read-at-once.js';
import { settledResult } from '../store/transaction-view.js';
import { KeyNeeded } from './key-ring.js';
import { OpenedWrites } from './opened-writes.js';
import { sealNext } from './seal-next.js';
import { SealedReads, SealedSnapshotTx, SealedWriteTx, type Sealing } from './sealed-tx.js';

/** Stands for the transaction where only entries that were read elsewhere are opened. */
const NO_ENTRIES: ReadTx = { get: () => undefined, range: () => [] };

/** Runs bodies on a store whose values are sealed. */
export class SealedStore implements Store {
  readonly isShared: boolean;
  /** As {@link Store.observe}, with opened values. */
  readonly observe?: (observer: CommitObserver) => void;
  /** As {@link Store.readNow}. */
  readonly readNow?: <T>(body: (tx: SnapshotTx) => T) => Settled<T>;
  /** As {@link Store.commits}. */
  readonly commits?: () => CommitCounts;
  /** As {@link Store.isInPlace}. */
  readonly isInPlace?: () => Promise<boolean>;
  readonly #store: Store;
  readonly #sealing: Sealing;
  readonly #observers: CommitObserver[] = [];

  constructor(store: Store, sealing: Sealing) {
    this.isShared = store.isShared;
    this.#store = store;
    this.#sealing = sealing;
    if (store.readNow !== undefined) this.readNow = (body) => this.#readNow(body);
    const commits = store.commits?.bind(store);
    if (commits !== undefined) this.commits = commits;
    const isInPlace = store.isInPlace?.bind(store);
    if (isInPlace !== undefined) this.isInPlace = isInPlace;
    if (store.observe === undefined) return;
    const opening = this.#opening();
    store.observe(opening);
    sealing.ring.onEnded = () => {
      opening.failed();
    };
    this.observe = (observer) => {
      this.#observers.push(observer);
    };
  }

  /** Runs a body against a consistent state. */
  read<T>(body: (tx: SnapshotTx) => T): Promise<T> {
    return this.#withKeys(() =>
      this.#store.read((tx) => {
        const reads = new SealedReads(tx, this.#sealing);
        return runWith(reads, () => body(new SealedSnapshotTx(tx, reads)));
      }),
    );
  }

  /** As {@link read}, at once if no key has to be brought. */
  #readNow<T>(body: (tx: SnapshotTx) => T): Settled<T> {
    try {
      return readAtOnce(this.#store, (tx) => {
        const reads = new SealedReads(tx, this.#sealing);
        return runWith(reads, () => body(new SealedSnapshotTx(tx, reads)));
      });
    } catch (error) {
      if (error instanceof KeyNeeded) return this.read(body);
      throw error;
    }
  }

  /** Runs a body atomically. */
  transact<T>(body: (tx: WriteTx) => T): Promise<T> {
    return this.#withKeys(() =>
      this.#store.transact((tx) => {
        const reads = new SealedReads(tx, this.#sealing);
        return runWith(reads, () => body(new SealedWriteTx(tx, reads)));
      }),
    );
  }

  /**
   * Seals the next plain entries, in key order. Returns whether all are sealed.
   *
   * @throws {AgentkeepError} `key_unavailable`
   */
  sealSlice(keys: string): Promise<boolean> {
    return this.#withKeys(() =>
      this.#store.transact((tx) => {
        const reads = new SealedReads(tx, this.#sealing);
        return runWith(reads, () =>
          sealNext(tx, new SealedWriteTx(tx, reads), { keys, families: this.#sealing.families }),
        );
      }),
    );
  }

  /** As {@link Store.hold}, with opened entries. */
  async hold(): Promise<HeldState> {
    const held = await this.#store.hold();
    const entries = (range: KeyRange): Promise<Entry[]> =>
      this.#withKeys(async () => {
        const reads = new SealedReads(NO_ENTRIES, this.#sealing);
        return [...reads.openedEntries(await held.entries(reads.storedRange(range)))];
      });
    return { entries, close: () => held.close() };
  }

  /** Copies the sealed entries. */
  backup(directory: string): Promise<void> {
    return this.#store.backup(directory);
  }

  /** Returns what the store below holds. */
  stats(): Promise<StoreStats> {
    return this.#store.stats();
  }

  /** Returns the number of waiting bodies. */
  waiting(): Promise<number> {
    return this.#store.waiting();
  }

  /** Visits the entries as they are stored. */
  scan(visit: (entry: Entry) => void): Promise<void> {
    return this.#store.scan(visit);
  }

  /** Closes the store below, then the source of keys. */
  async close(): Promise<void> {
    await this.#store.close();
    await this.#sealing.ring.close();
  }

  async #withKeys<T>(run: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await run();
      } catch (error) {
        if (!(error instanceof KeyNeeded)) throw error;
        await this.#sealing.ring.provide(error);
      }
    }
  }

  /** Passes commits on to all observers, opened. */
  #opening(): CommitObserver {
    const failed = (): void => {
      for (const observer of this.#observers) observer.failed();
    };
    const opened = (writes: CommittedWrites) =>
      new OpenedWrites(writes, this.#sealing.ring, failed);
    return {
      written: (writes) => {
        const pairs = opened(writes);
        for (const observer of this.#observers) observer.written?.(pairs);
      },
      committed: (writes) => {
        const pairs = opened(writes);
        for (const observer of this.#observers) observer.committed(pairs);
      },
      failed,
    };
  }
}

/** Runs a body. A key that it lacked decides, whatever the body made of the error. */
function runWith<T>(reads: SealedReads, body: () => T): T {
  try {
    const result = settledResult(body());
    if (reads.needed === undefined) return result;
  } catch (error) {
    throw reads.needed ?? error;
  }
  throw reads.needed;
}
