/** Indexes of the words of segments. */
import { certain } from '../../../../contract/certain.js';
import { SEARCH_TIMES_MAX } from '../../../../contract/limits.js';
import type { WordReading } from '../../../../kernel/ports/memory-scan.js';
import { NON_ASCII } from '../../text/fold-text.js';
import { wordsIn } from '../../text/word-reading.js';
import { type Columns, startAt } from '../columns/columns.js';
import { hashOf, takeAsciiWords, type WordHash } from './word-hash.js';

/** Bytes for each distinct word, beside those of its entries. */
const WORD_BYTES = 4 + 4 + 4;

/** The byte that follows each text. */
const SEPARATOR = 0xff;

/** The entries that have a word. */
interface WordEntries {
  /** Their indexes. */
  readonly entries: Uint8Array;
  /** How often each has it, up to a few times. */
  readonly times: Uint8Array;
}

/** Entries by the words of their folded texts. */
export class WordIndex {
  /** The first halves of the hashes of all words, ascending. */
  readonly #firsts: Uint32Array;
  readonly #seconds: Uint32Array;
  /** Where the entries of each word end; they start where those before end. */
  readonly #ends: Uint32Array;
  readonly #entries: Uint8Array;
  /** How often each of them has the word. */
  readonly #times: Uint8Array;

  /** Reads the texts of the first entries of some columns, at most 256. */
  constructor(columns: Columns, entries: number, reading: WordReading) {
    const postings = postingsOf(columns, entries, reading);
    const { firsts, seconds, words } = postings;
    const grouped = postings.grouped();
    const order = ordered(firsts);
    this.#firsts = new Uint32Array(words);
    this.#seconds = new Uint32Array(words);
    this.#ends = new Uint32Array(words);
    this.#entries = new Uint8Array(postings.length);
    this.#times = new Uint8Array(postings.length);
    let end = 0;
    for (let at = 0; at < words; at += 1) {
      const word = order[at] ?? 0;
      const [from, to] = [startAt(grouped.ends, word), grouped.ends[word]];
      const own = grouped.entries.subarray(from, to);
      this.#firsts[at] = firsts[word] ?? 0;
      this.#seconds[at] = seconds[word] ?? 0;
      this.#entries.set(own, end);
      this.#times.set(grouped.times.subarray(from, to), end);
      end += own.length;
      this.#ends[at] = end;
    }
  }

  /** Memory that it takes, in bytes. */
  get bytes(): number {
    return WORD_BYTES * this.#firsts.length + this.#entries.length + this.#times.length;
  }

  /** Returns the entries that have a word, ascending by their indexes. */
  entriesWith({ first, second }: WordHash): WordEntries {
    let low = 0;
    let high = this.#firsts.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#firsts[middle] ?? 0) < first) low = middle + 1;
      else high = middle;
    }
    for (; this.#firsts[low] === first; low += 1) {
      if (this.#seconds[low] !== second) continue;
      const [from, to] = [startAt(this.#ends, low), this.#ends[low]];
      return { entries: this.#entries.subarray(from, to), times: this.#times.subarray(from, to) };
    }
    return NONE;
  }
}

const NONE: WordEntries = { entries: new Uint8Array(0), times: new Uint8Array(0) };

/** Returns the numbers of words in the order of their hashes. */
function ordered(firsts: Uint32Array): Uint32Array {
  const places = 2 ** Math.ceil(Math.log2(firsts.length + 1));
  const keys = new Float64Array(firsts.length);
  for (let word = 0; word < firsts.length; word += 1) {
    keys[word] = (firsts[word] ?? 0) * places + word;
  }
  return Uint32Array.from(keys.sort(), (key) => key % places);
}

/** A word where a text has it. */
interface Seen {
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

function postingsOf(columns: Columns, entries: number, reading: WordReading): WordPostings {
  const reader = new TextReader(columns.texts);
  for (let entry = 0; entry < entries; entry += 1) {
    reader.read(entry, startAt(columns.textEnds, entry), columns.textEnds[entry] ?? 0);
  }
  const { postings } = reader;
  return reading.isExact
    ? postings
    : postings.mapped((word) => reading.wordOf(reader.wordAt(word)));
}

/** Reads the words of texts. */
class TextReader {
  readonly postings = new WordPostings();
  readonly #texts: Buffer;
  readonly #seen: Seen[] = [];

  constructor(texts: Buffer) {
    this.#texts = texts;
  }

  /** Returns a word as the text has it, by its number. */
  wordAt(word: number): string {
    const { text, from, to } = certain(this.#seen[word], 'word');
    return text.slice(from, to);
  }

  /** Reads the texts of an entry. */
  read(entry: number, from: number, to: number): void {
    for (let start = from; start < to;) {
      const end = this.#texts.indexOf(SEPARATOR, start);
      this.#readText(entry, this.#texts.toString('utf8', start, end));
      start = end + 1;
    }
  }

  #readText(entry: number, text: string): void {
    if (!NON_ASCII.test(text)) {
      takeAsciiWords(text, (first, second, from, to) => {
        const word = this.postings.add(first, second, entry);
        if (word === this.#seen.length) this.#seen.push({ text, from, to });
        return true;
      });
      return;
    }
    for (const each of wordsIn(text)) {
      const { first, second } = hashOf(each);
      const word = this.postings.add(first, second, entry);
      if (word === this.#seen.length) this.#seen.push({ text: each, from: 0, to: each.length });
    }
  }
}

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
class WordPostings {
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
