/** Indexes of the words of segments. */
import type { WordReading } from '../../../../kernel/ports/memory-scan.js';
import { wordsIn } from '../../text/word-reading.js';
import { type Columns, startAt } from '../columns/columns.js';
import {
  FIRST_START,
  firstWith,
  hashOf,
  SECOND_START,
  secondWith,
  type WordHash,
} from './word-hash.js';
import { WordPostings } from './word-postings.js';

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

/** A word as a text has it: where it is among the bytes, or what it is. */
type Seen = string | { readonly from: number; readonly to: number };

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

/** Whether an ASCII byte is part of a word. */
const IN_WORD = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte < 0x80 && /\w/.test(String.fromCharCode(byte)) ? 1 : 0,
);

/** Reads the words of texts in ASCII from their bytes, and others from the decoded text. */
class TextReader {
  readonly postings = new WordPostings();
  readonly #texts: Buffer;
  readonly #seen: Seen[] = [];

  constructor(texts: Buffer) {
    this.#texts = texts;
  }

  /** Returns a word as the text has it, by its number. */
  wordAt(word: number): string {
    const seen = this.#seen[word] ?? '';
    return typeof seen === 'string' ? seen : this.#texts.toString('latin1', seen.from, seen.to);
  }

  /** Reads the texts of an entry. */
  read(entry: number, from: number, to: number): void {
    for (let start = from; start < to;) {
      const end = this.#texts.indexOf(SEPARATOR, start);
      if (this.#isAscii(start, end)) this.#readBytes(entry, start, end);
      else this.#readDecoded(entry, this.#texts.toString('utf8', start, end));
      start = end + 1;
    }
  }

  #isAscii(from: number, to: number): boolean {
    let all = 0;
    for (let at = from; at < to; at += 1) all |= this.#texts[at] ?? 0;
    return all < 0x80;
  }

  #readBytes(entry: number, from: number, to: number): void {
    const texts = this.#texts;
    for (let at = from; at < to; at += 1) {
      if (IN_WORD[texts[at] ?? 0] === 0) continue;
      const start = at;
      let first = FIRST_START;
      let second = SECOND_START;
      for (; at < to && IN_WORD[texts[at] ?? 0] === 1; at += 1) {
        first = firstWith(first, texts[at] ?? 0);
        second = secondWith(second, texts[at] ?? 0);
      }
      const word = this.postings.add(first, second, entry);
      if (word === this.#seen.length) this.#seen.push({ from: start, to: at });
    }
  }

  #readDecoded(entry: number, text: string): void {
    for (const each of wordsIn(text)) {
      const { first, second } = hashOf(each);
      const word = this.postings.add(first, second, entry);
      if (word === this.#seen.length) this.#seen.push(each);
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
