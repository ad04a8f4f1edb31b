/** The word indexes of a segment, one for each of the ways to read words that are asked for. */
import type { WordReading } from '../../../../kernel/ports/memory-scan.js';
import type { WordIndex } from './word-index.js';

/** Indexes that a segment keeps. */
const INDEXES_MAX = 2;

/** The least recently used one gives way to a new one. */
export class WordIndexes {
  readonly #indexes = new Map<WordReading, WordIndex>();
  #bytes = 0;

  /** Memory that they take, in bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Returns the index for a way to read words. */
  use(reading: WordReading): WordIndex | undefined {
    const index = this.#indexes.get(reading);
    if (index === undefined || this.#indexes.size === 1) return index;
    this.#indexes.delete(reading);
    this.#indexes.set(reading, index);
    return index;
  }

  /** Keeps an index. */
  keep(reading: WordReading, index: WordIndex): void {
    const [oldest] = this.#indexes;
    if (oldest !== undefined && this.#indexes.size === INDEXES_MAX) {
      this.#indexes.delete(oldest[0]);
      this.#bytes -= oldest[1].bytes;
    }
    this.#indexes.set(reading, index);
    this.#bytes += index.bytes;
  }
}
