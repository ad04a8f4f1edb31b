/** Opens the writes of a commit for observers, each value only if it is asked for. */
import { keyBytes } from '../store/bytes.js';
import type { CommittedWrites } from '../store/store.js';
import type { KeyRing } from './key-ring.js';
import { openedValue } from './sealed-tx.js';
import { isSealed } from './sealed-value.js';

type Write = readonly [key: string, value: Uint8Array | undefined];

/**
 * Returns writes whose values are opened when they are asked for, because most observers look at
 * keys only. A value whose key has left the memory looks like a removal; `onUnreadable` is called
 * before, so that the observer forgets what it holds.
 */
export function openedWrites(
  writes: CommittedWrites,
  ring: KeyRing,
  onUnreadable: () => void,
): CommittedWrites {
  const opened = (key: string, value: Uint8Array | undefined): Uint8Array | undefined => {
    if (value === undefined || !isSealed(value)) return value;
    try {
      return openedValue(ring, keyBytes(key), value);
    } catch {
      onUnreadable();
      return undefined;
    }
  };
  function* each(): Generator<Write> {
    for (const [key, value] of writes) yield new LazyWrite(key, () => opened(key, value)).asWrite;
  }
  return { [Symbol.iterator]: each };
}

/** A pair whose second item is made whenever it is asked for. */
class LazyWrite {
  readonly #key: string;
  readonly #value: () => Uint8Array | undefined;

  constructor(key: string, value: () => Uint8Array | undefined) {
    this.#key = key;
    this.#value = value;
  }

  /** The first item. */
  get 0(): string {
    return this.#key;
  }

  /** The second item. */
  get 1(): Uint8Array | undefined {
    return this.#value();
  }

  /** This pair by its type. It is read by index, or destructured. */
  get asWrite(): Write {
    return this as unknown as Write;
  }

  *[Symbol.iterator](): Generator<string | Uint8Array | undefined> {
    yield this.#key;
    yield this.#value();
  }
}
