/**
 * The LMDB environment of one store: the only place that knows the LMDB binding.
 * @module
 */
import { open, type Database, type RangeOptions, type RootDatabase } from 'lmdb';
import type { WriteTarget } from '../store/overlay.js';
import type { Entry, KeyRange, ReadTx } from '../store/store.js';
import { FILE_MODE } from './directory.js';
import { readFailure } from './failure.js';
import { loanedViews } from './loaned-views.js';

/** Address space that a store takes at first; LMDB grows it by itself when it runs out. */
export const MAP_SIZE_BYTES = 2 ** 30;

type EntryKey = Uint8Array | string;

const ENTRIES = 'entries';
const IDENTITY = 'identity';
const STORE_ID = 'store_id';
const PROBE = 'probe';

/** How to open an environment. */
export interface EnvironmentOptions {
  readonly directory: string;
  readonly mapSizeBytes: number;
  /** Whether a commit waits for the disk. */
  readonly isSynced: boolean;
}

/**
 * An open environment. Its reads throw `store_unavailable` or `storage_inconsistency`; inside
 * {@link Environment.write} they see what was written there.
 */
export interface Environment extends ReadTx {
  /**
   * Runs a function that writes, in one transaction that is durable when this returns. If the
   * function or the commit throws, nothing is stored and the error is passed on as it is.
   */
  write(apply: (target: WriteTarget) => void): void;
  /** Commits a write of no meaning; throws as a commit would. */
  probe(): void;
  /** Whether reads still work. A commit that failed half-way stops them until a reopening. */
  isReadable(): boolean;
  /** Entries after a key, or all of them, in key order. */
  after(key: Uint8Array | undefined, limit: number): Iterable<Entry>;
  stats(): { readonly entries: number; readonly mapSizeBytes: number };
  /** Whether no other process has read since this one claimed the environment. */
  isAlone(): boolean;
  /** Copies the data file, as of now, into an existing directory without one. */
  copy(directory: string): Promise<void>;
  close(): Promise<void>;
}

/** Makes the data file of a new store, with its identity inside, in an empty directory. */
export async function createEnvironment(
  options: EnvironmentOptions,
  storeId: string,
): Promise<void> {
  const root = openRoot(options);
  try {
    const identity = root.openDB<string, string>(IDENTITY, { encoding: 'string' });
    root.openDB<Uint8Array, EntryKey>({ name: ENTRIES, ...entryCodec() });
    root.transactionSync(() => {
      identity.putSync(STORE_ID, storeId);
    });
  } finally {
    await root.close();
  }
}

/** An environment that is open but not claimed yet; one of the two calls has to follow. */
export interface FoundEnvironment {
  /** The identity in the data, or `undefined` if this is no data of a store. */
  readonly storeId: string | undefined;
  /**
   * Takes the environment for this process alone.
   * @returns `undefined` if another process has it.
   */
  claim(): Environment | undefined;
  close(): Promise<void>;
}

/** Opens an environment that {@link createEnvironment} made. */
export async function openEnvironment(options: EnvironmentOptions): Promise<FoundEnvironment> {
  const root = openRoot(options);
  try {
    const identity = openExisting<string, string>(root, IDENTITY, { encoding: 'string' });
    const entries = openExisting<Uint8Array, EntryKey>(root, ENTRIES, entryCodec());
    return {
      storeId: entries === undefined ? undefined : readStoreId(root, identity),
      claim: () => {
        if (identity === undefined || entries === undefined || !claim(root)) return undefined;
        return new LmdbEnvironment(root, identity, entries);
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
 * which no other process can be in at the same time. LMDB empties the table, under a lock of the
 * kernel, when it opens a file that no living process has open; so a used table means a living
 * owner, whatever became of process numbers, containers or clocks.
 */
function claim(root: RootDatabase): boolean {
  return root.transactionSync(() => {
    if (usedSlots(root) > 0) return false;
    root.useReadTransaction().done();
    return true;
  });
}

/** Slots of the reader table that were ever used since a process came to it alone. */
function usedSlots(root: RootDatabase): number {
  const { numReaders } = root.getStats() as { numReaders: number };
  return numReaders;
}

/**
 * Copies the data file of an environment, whoever has claimed it, as of its last commit. The copy
 * reads with a slot of its own in the reader table: it takes nothing from an owner, but while it
 * runs nobody can claim anew.
 */
export async function copyUnclaimed(
  { directory, mapSizeBytes }: Omit<EnvironmentOptions, 'isSynced'>,
  target: string,
): Promise<void> {
  const root = openRoot({ directory, mapSizeBytes, isSynced: true, isReadOnly: true });
  try {
    await root.backup(target, false);
  } finally {
    await root.close();
  }
}

/** Reads inside a write transaction, so that a process without a claim leaves the table alone. */
function readStoreId(
  root: RootDatabase,
  identity: Database<string, string> | undefined,
): string | undefined {
  return root.transactionSync(() => identity?.get(STORE_ID));
}

function openRoot({
  directory,
  mapSizeBytes,
  isSynced,
  isReadOnly = false,
}: EnvironmentOptions & { readonly isReadOnly?: boolean }): RootDatabase {
  const settings = {
    path: directory,
    noSubdir: false,
    mapSize: mapSizeBytes,
    overlappingSync: false,
    noSync: !isSynced,
    readOnly: isReadOnly,
    permissionsMode: FILE_MODE,
  };
  return open(settings);
}

function openExisting<V, K extends EntryKey>(
  root: RootDatabase,
  name: string,
  codec: object,
): Database<V, K> | undefined {
  const options: object = { ...codec, create: false };
  // The binding returns `undefined` where there is no such database, which its types do not say.
  return root.openDB<V, K>(name, options);
}

/**
 * Keys and values as they are, lent out of the buffers that LMDB reads into. Keys may also be
 * given as texts of one character a byte, as an overlay has them.
 */
function entryCodec() {
  const lendKey = loanedViews();
  const lendValue = loanedViews();
  return {
    keyEncoder: {
      writeKey: (key: EntryKey, target: Buffer, start: number) => {
        if (typeof key === 'string') return start + target.write(key, start, 'latin1');
        target.set(key, start);
        return start + key.length;
      },
      readKey: (source: Uint8Array, start: number, end: number) =>
        lendKey(source.buffer, source.byteOffset + start, end - start),
    },
    encoder: {
      encode: (value: Uint8Array) => value,
      // The binding sets the length of its buffer to that of the value.
      decode: (value: Uint8Array) => lendValue(value.buffer, value.byteOffset, value.length),
    },
  };
}

class LmdbEnvironment implements Environment {
  readonly #root: RootDatabase;
  readonly #identity: Database<string, string>;
  readonly #entries: Database<Uint8Array, EntryKey>;

  constructor(
    root: RootDatabase,
    identity: Database<string, string>,
    entries: Database<Uint8Array, EntryKey>,
  ) {
    this.#root = root;
    this.#identity = identity;
    this.#entries = entries;
  }

  get(key: Uint8Array): Uint8Array | undefined {
    try {
      return this.#entries.get(key);
    } catch (error) {
      throw readFailure(error);
    }
  }

  range({ from, to, limit, reverse }: KeyRange): Iterable<Entry> {
    const bounds = reverse === true ? { start: to, end: from } : { start: from, end: to };
    // An empty upper bound is below every key, where the binding takes it for none.
    if (to.length === 0) return [];
    return this.#iterate({
      ...bounds,
      ...(limit === undefined ? {} : { limit }),
      ...(reverse === true ? { reverse, exclusiveStart: true, inclusiveEnd: true } : {}),
    });
  }

  after(key: Uint8Array | undefined, limit: number): Iterable<Entry> {
    return this.#iterate({
      start: key ?? new Uint8Array(),
      exclusiveStart: key !== undefined,
      limit,
    });
  }

  write(apply: (target: WriteTarget) => void): void {
    const entries = this.#entries;
    const target: WriteTarget = {
      put: (text, value) => {
        entries.putSync(text, value);
      },
      remove: (text) => {
        entries.removeSync(text);
      },
    };
    this.#root.transactionSync(() => {
      // A block, because a returned promise would put the commit off.
      apply(target);
    });
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
    const { entryCount, mapSize } = this.#entries.getStats() as {
      entryCount: number;
      mapSize: number;
    };
    return { entries: entryCount, mapSizeBytes: mapSize };
  }

  isAlone(): boolean {
    return usedSlots(this.#root) === 1;
  }

  copy(directory: string): Promise<void> {
    return this.#root.backup(directory, false);
  }

  close(): Promise<void> {
    return this.#root.close();
  }

  #iterate(options: RangeOptions): Iterable<Entry> {
    return {
      [Symbol.iterator]: () => {
        try {
          const steps = this.#entries.getRange(options)[Symbol.iterator]();
          return new FailureNamingSteps(steps as Iterator<Entry, undefined>);
        } catch (error) {
          throw readFailure(error);
        }
      },
    };
  }
}

/** The steps of a range, with the errors of the catalogue. */
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
