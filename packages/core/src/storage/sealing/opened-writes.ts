/** Opens the writes of a commit for observers, each value only if it is asked for. */
import { keyBytes } from '../store/bytes.js';
import type { CommittedWrites } from '../store/store.js';
import type { KeyRing } from './key-ring.js';
import { openedValue } from './sealed-tx.js';
import { isSealed } from './sealed-value.js';

/** The writes of one body. Most observers look at keys only. */
export class OpenedWrites implements CommittedWrites {
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
