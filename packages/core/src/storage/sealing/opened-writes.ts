/** Opens the writes of a commit for observers, each value only if it is asked for. */
import { keyBytes } from '../store/bytes.js';
import type { CommittedWrites } from '../store/store.js';
import type { KeyRing } from './key-ring.js';
import { openedValue } from './sealed-tx.js';
import { isSealed } from './sealed-value.js';

type Write = readonly [key: string, value: Uint8Array | undefined];

/**
 * Writes whose values are opened when they are asked for, because most observers look at keys only.
 */
export class OpenedWrites {
  readonly #writes: CommittedWrites;
  readonly #ring: KeyRing;
  readonly #onUnreadable: () => void;
  /** Made once for all observers. */
  #pairs: readonly Write[] | undefined;

  /** `onUnreadable` is called for a value whose key left the memory. It looks like a removal. */
  constructor(writes: CommittedWrites, ring: KeyRing, onUnreadable: () => void) {
    this.#writes = writes;
    this.#ring = ring;
    this.#onUnreadable = onUnreadable;
  }

  /** Returns the writes in order. */
  [Symbol.iterator](): Iterator<Write> {
    this.#pairs ??= Array.from(this.#writes, (write) => this.#lazy(write));
    return this.#pairs[Symbol.iterator]();
  }

  /** Opens a value. */
  open(key: string, value: Uint8Array): Uint8Array | undefined {
    try {
      return openedValue(this.#ring, keyBytes(key), value);
    } catch {
      this.#onUnreadable();
      return undefined;
    }
  }

  #lazy(write: Write): Write {
    const value = write[1];
    if (value === undefined || !isSealed(value)) return write;
    // It is read by index or destructured, as a pair is.
    return new LazyWrite(this, write[0], value) as unknown as Write;
  }
}

/** A pair whose second item is made whenever it is asked for. It is its own iterator. */
class LazyWrite implements Iterator<string | Uint8Array | undefined> {
  readonly 0: string;
  readonly #writes: OpenedWrites;
  readonly #value: Uint8Array;
  #next = 0;

  constructor(writes: OpenedWrites, key: string, value: Uint8Array) {
    this[0] = key;
    this.#writes = writes;
    this.#value = value;
  }

  get 1(): Uint8Array | undefined {
    return this.#writes.open(this[0], this.#value);
  }

  [Symbol.iterator](): this {
    this.#next = 0;
    return this;
  }

  next(): IteratorResult<string | Uint8Array | undefined> {
    this.#next += 1;
    if (this.#next === 1) return { done: false, value: this[0] };
    if (this.#next === 2) return { done: false, value: this[1] };
    return { done: true, value: undefined };
  }
}
