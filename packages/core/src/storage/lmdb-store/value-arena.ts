/**
 * Memory for the pending values of one batch, used again by the next one. LMDB looks up the address
 * of each new stretch of memory that it is given, so staying in one makes its puts cheaper.
 * @module
 */
import { copyBytes } from '../store/bytes.js';

/** Enough for a few hundred records; what does not fit gets memory of its own. */
const ARENA_BYTES = 262_144;

/** One arena; its copies hold until it is cleared. */
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

  /** Gives up all copies. */
  clear(): void {
    this.#usedBytes = 0;
  }
}
