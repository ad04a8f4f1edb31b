/** A store over a store, which seals values. */
import { copyBytes, keyBytes } from '../store/bytes.js';
import { afterKey } from '../store/key.js';
import { settledResult } from '../store/overlay.js';
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
import { KeyNeeded, type KeyRing } from './key-ring.js';
import type { SealedFamilies } from './sealed-families.js';
import {
  openedValue,
  SealedReads,
  SealedSnapshotTx,
  SealedWriteTx,
  type Sealing,
} from './sealed-tx.js';
import { isSealed } from './sealed-value.js';
import { putSealingState, sealingState } from './tenant-marks.js';

/** The writes of one body. Most observers look at keys only. */
class OpenedWrites implements CommittedWrites {
  readonly #writes: CommittedWrites;
  readonly #ring: KeyRing;
  readonly #onUnreadable: () => void;

  /** `onUnreadable` is called for a value whose key left the memory. It looks like a removal. */
  constructor(writes: CommittedWrites, ring: KeyRing, onUnreadable: () => void) {
    this.#writes = writes;
    this.#ring = ring;
    this.#onUnreadable = onUnreadable;
  }

  /** Returns the keys in order. */
  keys(): MapIterator<string> {
    return this.#writes.keys();
  }

  /** Returns the opened value that was written under a key. */
  get(key: string): Uint8Array | undefined {
    const value = this.#writes.get(key);
    if (value === undefined || !isSealed(value)) return value;
    try {
      return openedValue(this.#ring, keyBytes(key), value);
    } catch {
      this.#onUnreadable();
      return undefined;
    }
  }
}

/** Entries that one slice looks at. */
const SLICE_ENTRIES = 128;
/** Bytes of values after which a slice seals no more. */
const SLICE_BYTES = 1_048_576;
/** Above all keys, because no tenant begins with it. */
const END = Buffer.of(0xff);

/**
 * Seals plain entries behind those of the slice before; returns whether there are none left. `tx`
 * is below the sealing, `sealed` above it.
 */
function sealNext(
  tx: WriteTx,
  sealed: WriteTx,
  { keys, families }: { readonly keys: string; readonly families: SealedFamilies },
): boolean {
  const state = sealingState(tx) ?? { keys, isComplete: false };
  if (state.isComplete) return true;
  const from = Buffer.from(state.after ?? '', 'base64url');
  const entries: { key: Uint8Array; value: Uint8Array }[] = [];
  let bytes = 0;
  let last: Uint8Array | undefined;
  let count = 0;
  for (const { key, value } of tx.range({ from, to: END, limit: SLICE_ENTRIES })) {
    count += 1;
    last = copyBytes(key);
    if (families.of(key) !== undefined && !isSealed(value)) {
      entries.push({ key: last, value: copyBytes(value) });
      bytes += value.length;
    }
    if (bytes >= SLICE_BYTES) break;
  }
  for (const { key, value } of entries) sealed.put(key, value);
  const isComplete = count < SLICE_ENTRIES && bytes < SLICE_BYTES;
  const after = last === undefined ? from : afterKey(last);
  putSealingState(tx, {
    keys,
    isComplete,
    ...(isComplete ? {} : { after: Buffer.from(after).toString('base64url') }),
  });
  return isComplete;
}

/** Stands for the transaction where only entries that were read elsewhere are opened. */
const NO_ENTRIES: ReadTx = { get: () => undefined, range: () => [] };

/** Runs bodies on a store whose values are sealed. */
export class SealedStore implements Store {
  readonly isShared: boolean;
  /** As {@link Store.observe}, with opened values. */
  readonly observe?: (observer: CommitObserver) => void;
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
