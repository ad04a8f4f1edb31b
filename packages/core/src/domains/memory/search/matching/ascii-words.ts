/**
 * Finds wanted words in parts of a text that are in ASCII, where they stand: most of what a
 * question over long texts takes. One pass without branches finds where words begin with two letters
 * of wanted ones; each of these is compared with words that were read before, and stemmed if it is
 * new.
 */
import { Buffer } from 'node:buffer';
import type { WantedTerms } from '../../../../kernel/ports/memory-scan.js';
import type { FormReading } from '../../text/word-reading.js';
import { bitAt } from './bits.js';

const LAST_OF_ASCII = 127;
/** A character of a word in lower case, 0 for every other one. */
const LETTERS = Uint8Array.from({ length: LAST_OF_ASCII + 1 }, (_, code) => {
  const char = String.fromCharCode(code);
  return /\w/.test(char) ? char.toLowerCase().charCodeAt(0) : 0;
});
/** 1 for what is no character of a word. */
const APART = LETTERS.map((letter) => Number(letter === 0));
/** Words that are remembered, one in each place, and characters of a word that is. */
const PLACES = 512;
const CHARS_MAX = 16;
/**
 * Characters of a stem that make its words begin with the same two letters. Shorter ones may not:
 * `dying` has the stem `die`.
 */
const TELLING_CHARS = 4;
/** What of a character says which bit stands for it as a second letter; some share one. */
const LETTER_BITS = 31;
const ANY_SECOND = 0xffffffff;
/** Room for the first text, in UTF-16 units. */
const UNITS = 8_192;

/** Reads parts of one text after another. */
export class AsciiWords {
  readonly #words: WantedTerms['words'];
  readonly #reading: FormReading;
  /** By the first letter of a word, the bits of second ones of words that may be wanted … */
  readonly #seconds = new Uint32Array(LAST_OF_ASCII + 1);
  /** … of the terms of these bits. */
  #among = 0;
  /** Words that were read, in lower case, and which wanted word each is, 0 for none. */
  readonly #letters = new Uint8Array(PLACES * CHARS_MAX);
  readonly #lengths = new Uint8Array(PLACES);
  readonly #bits = new Uint32Array(PLACES);
  /** The text that is read, where its words begin that may be wanted, and what is not in ASCII. */
  #bytes = Buffer.allocUnsafeSlow(2 * UNITS);
  #units = new Uint16Array(this.#bytes.buffer, this.#bytes.byteOffset, UNITS);
  #starts = new Uint32Array(UNITS + 1);
  #startCount = 0;
  readonly #others: number[] = [];

  constructor(words: WantedTerms['words'], reading: FormReading) {
    this.#words = words;
    this.#reading = reading;
  }

  /** Takes the text whose parts are read next, and the bits of the terms to look for. */
  open(text: string, among: number): void {
    if (text.length > this.#units.length) this.#grow(2 * text.length);
    if (among !== this.#among) this.#lookFor(among);
    this.#bytes.write(text, 'utf16le');
    const units = this.#units;
    const starts = this.#starts;
    const seconds = this.#seconds;
    const others = this.#others;
    others.length = 0;
    let count = 0;
    let isApart = 1;
    // Second letters of the word that begins at the character before, if one does.
    let wanted = 0;
    for (let at = 0; at < text.length; at += 1) {
      const unit = units[at] ?? 0;
      if (unit > LAST_OF_ASCII) others.push(at);
      const code = unit & LAST_OF_ASCII;
      starts[count] = at - 1;
      count += (wanted >>> (code & LETTER_BITS)) & 1;
      wanted = (seconds[code] ?? 0) & -isApart;
      isApart = APART[code] ?? 0;
    }
    starts[count] = text.length - 1;
    this.#startCount = count + (wanted & 1);
  }

  /**
   * Takes the bits of the wanted words of a part, which begins in no word and is in ASCII; returns
   * false for every other part.
   */
  each(begin: number, end: number, take: (bit: number) => void): boolean {
    const units = this.#units;
    const other = this.#others[firstFrom(this.#others, this.#others.length, begin)];
    if (other !== undefined && other < end) return false;
    if (begin > 0 && isInWord(units[begin - 1]) && isInWord(units[begin])) return false;
    const starts = this.#starts;
    const count = this.#startCount;
    for (let index = firstFrom(starts, count, begin); index < count; index += 1) {
      const from = starts[index] ?? 0;
      if (from >= end) break;
      let hash = 0;
      let at = from;
      for (; at < end; at += 1) {
        const letter = LETTERS[(units[at] ?? 0) & LAST_OF_ASCII] ?? 0;
        if (letter === 0) break;
        hash = Math.imul(31, hash) + letter;
      }
      const bit = this.#bitOf(from, at, hash & (PLACES - 1));
      if (bit !== 0) take(bit);
    }
    return true;
  }

  #lookFor(among: number): void {
    this.#among = among;
    const seconds = this.#seconds;
    seconds.fill(0);
    for (const { word, bit } of this.#words) {
      const first = word.charCodeAt(0);
      if ((among & bit) === 0 || first > LAST_OF_ASCII) continue;
      // Stems of words in ASCII begin as the words do: suffixes are all that is taken off.
      const isTelling = word.length >= TELLING_CHARS;
      const second = isTelling ? bitAt(word.charCodeAt(1) & LETTER_BITS) : ANY_SECOND;
      for (const letter of [first, word.toUpperCase().charCodeAt(0) & LAST_OF_ASCII]) {
        seconds[letter] = (seconds[letter] ?? 0) | second;
      }
    }
  }

  #grow(units: number): void {
    this.#bytes = Buffer.allocUnsafeSlow(2 * units);
    this.#units = new Uint16Array(this.#bytes.buffer, this.#bytes.byteOffset, units);
    this.#starts = new Uint32Array(units + 1);
  }

  /** Returns the bit of the wanted word that a word of the text is, 0 for none. */
  #bitOf(from: number, to: number, place: number): number {
    const length = to - from;
    if (this.#lengths[place] === length && this.#isKnown(from, length, place)) {
      return this.#bits[place] ?? 0;
    }
    const word = this.#bytes.toString('utf16le', 2 * from, 2 * to).toLowerCase();
    const stem = this.#reading.stemOf(word);
    const bit = this.#words.find((wanted) => wanted.word === stem)?.bit ?? 0;
    if (length > CHARS_MAX) return bit;
    this.#lengths[place] = length;
    this.#bits[place] = bit;
    for (let at = 0; at < length; at += 1) {
      this.#letters[CHARS_MAX * place + at] = word.charCodeAt(at);
    }
    return bit;
  }

  #isKnown(from: number, length: number, place: number): boolean {
    const units = this.#units;
    const letters = this.#letters;
    const start = CHARS_MAX * place;
    for (let at = 0; at < length; at += 1) {
      if (LETTERS[(units[from + at] ?? 0) & LAST_OF_ASCII] !== letters[start + at]) return false;
    }
    return true;
  }
}

function isInWord(unit: number | undefined): boolean {
  return unit !== undefined && unit <= LAST_OF_ASCII && LETTERS[unit] !== 0;
}

/** Returns the index of the first place, of some in order, that is not before another one. */
function firstFrom(places: ArrayLike<number>, count: number, begin: number): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((places[middle] ?? 0) < begin) low = middle + 1;
    else high = middle;
  }
  return low;
}
