/**
 * A state that is loaded as a body asks for it, as a store over a remote engine does: a body sees
 * what is loaded, and runs again once more is.
 */
import { keyText } from '../store/bytes.js';
import type { Entry, KeyRange, ReadTx } from '../store/store.js';

/** Entries that are loaded first of a range without a limit. */
const FIRST_ENTRIES = 64;
/** Growth of the loaded entries with each further turn. */
const GROWTH = 4;

/** Reads what is loaded; the rest is absent. */
export class LoadedInTurns implements ReadTx {
  readonly #whole: ReadTx;
  readonly #loadedKeys = new Set<string>();
  #wantedKeys = new Set<string>();
  /** Number of loaded entries, by range. */
  readonly #loaded = new Map<string, number>();
  #wanted = new Map<string, number>();

  constructor(whole: ReadTx) {
    this.#whole = whole;
  }

  /** Returns the value of a key, if it is loaded. One that is absent was supposed to be. */
  get(key: Uint8Array): Uint8Array | undefined {
    const value = this.#whole.get(key);
    const name = keyText(key);
    if (value === undefined || this.#loadedKeys.has(name)) return value;
    this.#wantedKeys.add(name);
    return undefined;
  }

  /** Yields the loaded entries of a range, and notes whether more are wanted. */
  *range(range: KeyRange): Generator<Entry> {
    const { from, to, limit = Infinity, reverse = false } = range;
    const name = [keyText(from), keyText(to), String(reverse)].join('\n');
    const loaded = this.#loaded.get(name) ?? 0;
    let seen = 0;
    for (const entry of this.#whole.range({ ...range, limit: Math.min(limit, loaded) })) {
      seen += 1;
      yield entry;
    }
    if (seen < loaded || seen === limit) return;
    const more = limit === Infinity ? Math.max(FIRST_ENTRIES, loaded * GROWTH) : limit;
    this.#wanted.set(name, Math.max(more, this.#wanted.get(name) ?? 0));
  }

  /** Loads what was wanted since the last time. Returns whether anything was. */
  loadMore(): boolean {
    const [keys, wanted] = [this.#wantedKeys, this.#wanted];
    this.#wantedKeys = new Set();
    this.#wanted = new Map();
    for (const name of keys) this.#loadedKeys.add(name);
    for (const [name, entries] of wanted) this.#loaded.set(name, entries);
    return keys.size + wanted.size > 0;
  }
}
