/**
 * Memory for the pending values of one batch, reused by the next one. LMDB looks up the address of
 * each new buffer that it gets, so one buffer makes puts cheaper.
 */
import { copyBytes } from '../store/bytes.js';

/** Enough for a few hundred records. Values that do not fit get memory of their own. */
const ARENA_BYTES = 262_144;

/** An arena. Its copies are valid until it is cleared. */
export class ValueArena {
  readonly #memory = Buffer.allocUnsafeSlow(ARENA_BYTES);
  #usedBytes = 0;

  /** Copies a value. */
  readonly copy = (value: Uint8Array): Uint8Array => {
    const start = this.#usedBytes;
    if (start + value.length > ARENA_BYTES) return copyBytes(value);
    this.#memory.set(value, start);
    this.#usedBytes += value.length;
    return new Uint8Array(this.#memory.buffer, start, value.length);
  };

  /** Invalidates all copies. */
  clear(): void {
    this.#usedBytes = 0;
  }
}
