/** Collects which entries of a segment have which words. */
import { SEARCH_TIMES_MAX } from '../../../../contract/limits.js';
import { hashOf } from './word-hash.js';

/** Room that is made at first; it doubles when it is full. A power of 2. */
const ROOM = 1_024;

/** Entries by their words. */
export interface GroupedPostings {
  readonly entries: Uint8Array;
  /** How often each of them has the word. */
  readonly times: Uint8Array;
  readonly ends: Uint32Array;
}

/** Distinct words and the entries that have them, in the order in which they were added. */
export class WordPostings {
  /** Numbers of words by their hash, -1 where there is none; twice as many as there is room. */
  #slots = new Int32Array(2 * ROOM).fill(-1);
  #firsts = new Uint32Array(ROOM);
  #seconds = new Uint32Array(ROOM);
  /** How many entries have each word. */
  #counts = new Uint16Array(ROOM);
  /** The last of them. */
  #lastEntries = new Int16Array(ROOM);
  #words = 0;
  /** Numbers of words, one for each entry that has one. */
  #postedWords = new Uint32Array(ROOM);
  /** Indexes of these entries. */
  #postedEntries = new Uint8Array(ROOM);
  /** How often each of these entries has the word. */
  #postedTimes = new Uint8Array(ROOM);
  /** Where the last entry of each word was added. */
  #lastPosts = new Uint32Array(ROOM);
  #length = 0;

  /** Number of distinct words. */
  get words(): number {
    return this.#words;
  }

  /** Number of words of all entries, each once for an entry. */
  get length(): number {
    return this.#length;
  }

  /** The first halves of the hashes of the words. */
  get firsts(): Uint32Array {
    return this.#firsts.subarray(0, this.#words);
  }

  /** The second halves of these hashes. */
  get seconds(): Uint32Array {
    return this.#seconds.subarray(0, this.#words);
  }

  /** Adds a word of an entry; entries must ascend. Returns the number of the word. */
  add(first: number, second: number, entry: number, times = 1): number {
    const word = this.#numberOf(first >>> 0, second >>> 0);
    if (this.#lastEntries[word] === entry) {
      const post = this.#lastPosts[word] ?? 0;
      this.#postedTimes[post] = timesOf((this.#postedTimes[post] ?? 0) + times);
      return word;
    }
    this.#lastEntries[word] = entry;
    this.#counts[word] = (this.#counts[word] ?? 0) + 1;
    if (this.#length === this.#postedWords.length) this.#growPosted();
    this.#postedWords[this.#length] = word;
    this.#postedEntries[this.#length] = entry;
    this.#postedTimes[this.#length] = timesOf(times);
    this.#lastPosts[word] = this.#length;
    this.#length += 1;
    return word;
  }

  /** Returns the same with each word replaced by another one, or left out where that is empty. */
  mapped(wordOf: (word: number) => string): WordPostings {
    const hashes = Array.from({ length: this.#words }, (_, word) => {
      const other = wordOf(word);
      return other === '' ? undefined : hashOf(other);
    });
    const done = new WordPostings();
    for (let at = 0; at < this.#length; at += 1) {
      const hash = hashes[this.#postedWords[at] ?? 0];
      if (hash === undefined) continue;
      const [entry, times] = [this.#postedEntries[at] ?? 0, this.#postedTimes[at] ?? 0];
      done.add(hash.first, hash.second, entry, times);
    }
    return done;
  }

  /**
   * Returns the entries of each word together, how often they have it, and where those of each word
   * end.
   */
  grouped(): GroupedPostings {
    const ends = new Uint32Array(this.#words);
    let end = 0;
    for (let word = 0; word < this.#words; word += 1) {
      ends[word] = end;
      end += this.#counts[word] ?? 0;
    }
    const entries = new Uint8Array(this.#length);
    const times = new Uint8Array(this.#length);
    for (let at = 0; at < this.#length; at += 1) {
      const word = this.#postedWords[at] ?? 0;
      const place = ends[word] ?? 0;
      entries[place] = this.#postedEntries[at] ?? 0;
      times[place] = this.#postedTimes[at] ?? 0;
      ends[word] = place + 1;
    }
    return { entries, times, ends };
  }

  #numberOf(first: number, second: number): number {
    const mask = this.#slots.length - 1;
    let slot = first & mask;
    for (;;) {
      const word = this.#slots[slot] ?? -1;
      if (word === -1) return this.#newWord(first, second, slot);
      if (this.#firsts[word] === first && this.#seconds[word] === second) return word;
      slot = (slot + 1) & mask;
    }
  }

  #newWord(first: number, second: number, slot: number): number {
    const word = this.#words;
    this.#slots[slot] = word;
    this.#words += 1;
    if (word === this.#firsts.length) this.#growWords();
    this.#firsts[word] = first;
    this.#seconds[word] = second;
    this.#lastEntries[word] = -1;
    if (2 * this.#firsts.length > this.#slots.length) this.#rehash();
    return word;
  }

  #rehash(): void {
    const slots = new Int32Array(2 * this.#firsts.length).fill(-1);
    const mask = slots.length - 1;
    for (let word = 0; word < this.#words; word += 1) {
      let slot = (this.#firsts[word] ?? 0) & mask;
      while (slots[slot] !== -1) slot = (slot + 1) & mask;
      slots[slot] = word;
    }
    this.#slots = slots;
  }

  #growWords(): void {
    this.#firsts = grown(this.#firsts, Uint32Array);
    this.#seconds = grown(this.#seconds, Uint32Array);
    this.#counts = grown(this.#counts, Uint16Array);
    this.#lastEntries = grown(this.#lastEntries, Int16Array);
    this.#lastPosts = grown(this.#lastPosts, Uint32Array);
  }

  #growPosted(): void {
    this.#postedWords = grown(this.#postedWords, Uint32Array);
    this.#postedEntries = grown(this.#postedEntries, Uint8Array);
    this.#postedTimes = grown(this.#postedTimes, Uint8Array);
  }
}

function timesOf(times: number): number {
  return Math.min(SEARCH_TIMES_MAX, times);
}

type Numbers = Uint32Array | Uint16Array | Int16Array | Uint8Array;

/** Returns the same numbers with room for as many more. */
function grown<T extends Numbers>(numbers: T, make: new (length: number) => T): T {
  const done = new make(2 * numbers.length);
  done.set(numbers);
  return done;
}
