/** Numbers of the distinct words of a text, by their hashes. */

/** Most words that have numbers. */
const WORDS_MAX = 2_048;
const SLOTS = 2 * WORDS_MAX;

/** Gives numbers from 0 on. It is cleared for another text, because its memory is large. */
export class WordNumbers {
  /** The first halves of the hashes, by number. */
  readonly firsts = new Uint32Array(WORDS_MAX);
  readonly seconds = new Uint32Array(WORDS_MAX);
  /** Numbers by hash, -1 where there is none. */
  readonly #slots = new Int16Array(SLOTS).fill(-1);
  #size = 0;

  /** How many words have numbers. */
  get size(): number {
    return this.#size;
  }

  /** Forgets all words. */
  clear(): void {
    this.#slots.fill(-1);
    this.#size = 0;
  }

  /** Returns the number of a word, the next one for a new word; -1 if there are too many. */
  numberOf(first: number, second: number): number {
    let slot = first & (SLOTS - 1);
    for (;;) {
      const number = this.#slots[slot] ?? -1;
      if (number === -1) return this.#add(first, second, slot);
      if (this.firsts[number] === first && this.seconds[number] === second) return number;
      slot = (slot + 1) & (SLOTS - 1);
    }
  }

  #add(first: number, second: number, slot: number): number {
    if (this.#size === WORDS_MAX) return -1;
    const number = this.#size;
    this.#size += 1;
    this.#slots[slot] = number;
    this.firsts[number] = first;
    this.seconds[number] = second;
    return number;
  }
}
