/** Copies all entries of a store into an empty one, then reads both to verify that they agree. */
import { sha256Stream } from '../../contract/digest.js';
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import { openLmdbStore } from '../../storage/lmdb-store/open-lmdb-store.js';
import { manifestOfFound } from '../../storage/lmdb-store/found-store.js';
import { writeStoreDirectory } from '../../storage/lmdb-store/write-store-directory.js';
import { copyBytes } from '../../storage/store/bytes.js';
import { afterKey, KEYS_END } from '../../storage/store/key.js';
import type { Entry, ReadTx, Store } from '../../storage/store/store.js';
import type { OnProgress, ProgressPhase } from './progress.js';

/** The source or target of a copy: a directory, or a store that the caller opened. */
export type StoreLocation =
  | { readonly directory: string; readonly store?: never }
  | { readonly store: Store; readonly directory?: never };

/** A copy to make. No other process may have either store open. */
export interface StoreCopy {
  readonly from: StoreLocation;
  readonly to: StoreLocation;
  readonly onProgress?: OnProgress | undefined;
}

/** The copied content, verified on both sides. */
export interface StoreCopyReport {
  readonly entries: number;
  /** SHA-256 over all keys and values in order, in hexadecimal. */
  readonly sha256: string;
}

/** Entries of one transaction. */
const PAGE_ENTRIES = 512;

/**
 * Copies and verifies. A directory is filled completely or not at all. An opened store is filled
 * page by page; after a failure, discard it.
 * @throws {AgentkeepError} `directory_not_empty` if the target has content; `store_incompatible` if
 * there is no store to copy; `stores_differ` if they don't agree.
 */
export async function copyStore({ from, to, onProgress }: StoreCopy): Promise<StoreCopyReport> {
  return withStore(from, async (source) => {
    await assertEmpty(to);
    const { entries: total } = await source.stats();
    const copied = new Content('copy', total, onProgress);
    await fill(to, pagesOf(source, copied));
    const before = copied.report();
    const found = new Content('read', before.entries, onProgress);
    await withStore(to, (target) => readAll(target, found));
    const after = found.report();
    if (before.entries !== after.entries || before.sha256 !== after.sha256) {
      throw new AgentkeepError('stores_differ', {
        members: [{ path: 'entries', expected: 'the same' }],
      });
    }
    return after;
  });
}

/** Counts and digests the copied entries. */
class Content {
  readonly #hash = sha256Stream();
  readonly #report: () => void;
  #entries = 0;

  constructor(phase: ProgressPhase, total: number, onProgress: OnProgress | undefined) {
    this.#report = () => onProgress?.({ phase, done: this.#entries, total });
  }

  add(entries: readonly Entry[]): void {
    for (const { key, value } of entries) {
      const lengths = Buffer.alloc(8);
      lengths.writeUInt32BE(key.length, 0);
      lengths.writeUInt32BE(value.length, 4);
      this.#hash.update(lengths).update(key).update(value);
    }
    this.#entries += entries.length;
    this.#report();
  }

  /** Returns the totals. Call it once. */
  report(): StoreCopyReport {
    return { entries: this.#entries, sha256: this.#hash.digestText('hex') };
  }
}

async function withStore<T>(
  location: StoreLocation,
  use: (store: Store) => Promise<T>,
): Promise<T> {
  if (location.store !== undefined) return use(location.store);
  const { directory } = location;
  // Check first: opening would create a missing store.
  const { durability } = await manifestOfFound(directory);
  const store = await openLmdbStore({ directory, durability });
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}

/** Checks an opened store. Directories are checked when they are filled. */
async function assertEmpty({ store }: StoreLocation): Promise<void> {
  if (store === undefined) return;
  const [first] = await readPage(store, new Uint8Array(), 1);
  if (first !== undefined) throw new AgentkeepError('directory_not_empty');
}

async function fill(location: StoreLocation, pages: AsyncIterable<Entry[]>): Promise<void> {
  if (location.store === undefined) return writeStoreDirectory(location.directory, pages);
  for await (const entries of pages) {
    await location.store.transact((tx) => {
      for (const { key, value } of entries) tx.put(key, value);
    });
  }
}

async function readAll(store: Store, content: Content): Promise<void> {
  const pages = pagesOf(store, content);
  while ((await pages.next()).done !== true);
}

async function* pagesOf(store: Store, content: Content): AsyncGenerator<Entry[]> {
  let from: Uint8Array | undefined = new Uint8Array();
  while (from !== undefined) {
    const entries: Entry[] = await readPage(store, from, PAGE_ENTRIES);
    const last = entries.at(-1);
    from = entries.length < PAGE_ENTRIES || last === undefined ? undefined : afterKey(last.key);
    content.add(entries);
    yield entries;
  }
}

function readPage(store: Store, from: Uint8Array, limit: number): Promise<Entry[]> {
  const copy = (tx: ReadTx): Entry[] =>
    Array.from(tx.range({ from, to: KEYS_END, limit }), ({ key, value }) => ({
      key: copyBytes(key),
      value: copyBytes(value),
    }));
  return store.read(copy);
}
