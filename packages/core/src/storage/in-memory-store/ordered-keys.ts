/** Keys in ascending order, in chunks, so that another one among very many costs little. */
import { lowerBound } from '../store/bytes.js';

/** Keys of a chunk before it is divided. */
const CHUNK_KEYS_MAX = 512;

/** Distinct keys that are in order. Never change them while a span is walked. */
export class OrderedKeys {
  /** None is empty, but the only one. */
  readonly #chunks: string[][] = [[]];
  #count = 0;

  /** Number of keys. */
  get count(): number {
    return this.#count;
  }

  /** Adds a key that isn't there. */
  add(key: string): void {
    const [at, chunk] = this.#chunkOf(key);
    chunk.splice(lowerBound(chunk, key), 0, key);
    this.#count += 1;
    if (chunk.length > CHUNK_KEYS_MAX) {
      this.#chunks.splice(at + 1, 0, chunk.splice(CHUNK_KEYS_MAX / 2));
    }
  }

  /** Removes a key that is there. */
  remove(key: string): void {
    const [at, chunk] = this.#chunkOf(key);
    chunk.splice(lowerBound(chunk, key), 1);
    this.#count -= 1;
    if (chunk.length === 0 && this.#chunks.length > 1) this.#chunks.splice(at, 1);
  }

  /** Yields the keys from one on, ascending. */
  *from(key: string): Generator<string, void> {
    const [start, first] = this.#chunkOf(key);
    let index = lowerBound(first, key);
    for (let at = start; at < this.#chunks.length; at += 1) {
      const chunk = this.#chunks[at] ?? [];
      for (; index < chunk.length; index += 1) yield chunk[index] ?? '';
      index = 0;
    }
  }

  /** Yields the keys before one, descending. */
  *before(key: string): Generator<string, void> {
    const [start, first] = this.#chunkOf(key);
    let index = lowerBound(first, key) - 1;
    for (let at = start; at >= 0; at -= 1) {
      const chunk = this.#chunks[at] ?? [];
      for (; index >= 0; index -= 1) yield chunk[index] ?? '';
      index = (this.#chunks[at - 1]?.length ?? 0) - 1;
    }
  }

  /** Returns the last chunk that begins with a key or with one before it, or else the first. */
  #chunkOf(key: string): readonly [at: number, chunk: string[]] {
    let [low, high] = [0, this.#chunks.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#chunks[middle]?.[0] ?? '') <= key) low = middle;
      else high = middle - 1;
    }
    return [low, this.#chunks[low] ?? []];
  }
}
