/**
 * Finds wanted words in parts of a text that are in ASCII, where they stand: most of what a
 * question over long texts takes. One pass without branches finds where words begin with two
 * letters of wanted ones; each of these is compared with words that were read before, and stemmed
 * if it is new.
 */
import { Buffer } from 'node:buffer';
import type { WantedTerms } from '../../../../kernel/ports/memory-scan.js';
import { NON_ASCII } from '../../text/fold-text.js';
import type { FormReading } from '../../text/word-reading.js';
import { bitAt } from './bits.js';

const CODES = 256;
const LAST_OF_ASCII = 127;
/** What stands for each unit of a text that is not in ASCII. */
const OTHER = 0x80;
const ALL_OTHERS = new RegExp(NON_ASCII, 'g');
/** A character of a word in lower case, 0 for every other one. */
const LETTERS = Uint8Array.from({ length: CODES }, (_, code) => {
  const char = String.fromCharCode(code);
  return code <= LAST_OF_ASCII && /\w/.test(char) ? char.toLowerCase().charCodeAt(0) : 0;
});
/** 1 for what is no character of a word. */
const APART = LETTERS.map((letter) => Number(letter === 0));
/** Words that are remembered, one in each place, and characters of a word that is. */
const PLACES = 1_024;
const CHARS_MAX = 16;
/** What of a character says which bit stands for it as a second letter; some share one. */
const LETTER_BITS = 31;
const ANY_SECOND = 0xffffffff;
const SECOND_Y = bitAt('y'.charCodeAt(0) & LETTER_BITS);
/** Characters of the longest stem whose words may begin otherwise: `dying` has the stem `die`. */
const CHANGED_CHARS = 3;
/** Room for the first text, in UTF-16 units. */
const UNITS = 8_192;

/** Reads parts of one text after another. */
export class AsciiWords {
  readonly #words: WantedTerms['words'];
  readonly #reading: FormReading;
  /** By the first letter of a word, the bits of second ones of words that may be wanted … */
  readonly #seconds = new Uint32Array(CODES);
  /** … of the terms of these bits. */
  #among = 0;
  /** Words that were read, in lower case, and which wanted word each is, 0 for none. */
  readonly #letters = new Uint8Array(PLACES * CHARS_MAX);
  readonly #lengths = new Uint8Array(PLACES);
  readonly #bits = new Uint32Array(PLACES);
  /** The text that is read, where its words begin that may be wanted, and what is not in ASCII. */
  #units = Buffer.allocUnsafeSlow(UNITS);
  #starts = new Uint32Array(UNITS + 1);
  #startCount = 0;
  /** The first of these words that the last part might have. */
  #next = 0;
  readonly #others: number[] = [];

  constructor(words: WantedTerms['words'], reading: FormReading) {
    this.#words = words;
    this.#reading = reading;
  }

  /** Takes the text whose parts are read next, and the bits of the terms to look for. */
  open(text: string, among: number): void {
    const { length } = text;
    if (length > this.#units.length) this.#grow(2 * length);
    if (among !== this.#among) this.#lookFor(among);
    this.#others.length = 0;
    if (Buffer.byteLength(text) === length) this.#units.write(text, 'latin1');
    else this.#openMixed(text);
    const units = this.#units;
    const starts = this.#starts;
    const seconds = this.#seconds;
    let count = 0;
    let isApart = 1;
    // Second letters of the word that begins at the character before, if one does.
    let wanted = 0;
    for (let at = 0; at < length; at += 1) {
      const code = units[at] ?? 0;
      starts[count] = at - 1;
      count += (wanted >>> (code & LETTER_BITS)) & 1;
      wanted = (seconds[code] ?? 0) & -isApart;
      isApart = APART[code] ?? 0;
    }
    starts[count] = length - 1;
    this.#startCount = count + (wanted & 1);
    this.#next = 0;
  }

  /**
   * Takes the bits of the wanted words of a part, which begins in no word and is in ASCII; returns
   * false for every other part.
   */
  each(begin: number, end: number, take: (bit: number) => void): boolean {
    const units = this.#units;
    if (this.#others.length > 0) {
      const other = this.#others[firstFrom(this.#others, begin)];
      if (other !== undefined && other < end) return false;
    }
    if (begin > 0 && LETTERS[units[begin - 1] ?? 0] !== 0 && LETTERS[units[begin] ?? 0] !== 0) {
      return false;
    }
    const starts = this.#starts;
    const count = this.#startCount;
    let next = this.#next;
    while (next > 0 && (starts[next - 1] ?? 0) >= begin) next -= 1;
    while (next < count && (starts[next] ?? 0) < begin) next += 1;
    for (; next < count; next += 1) {
      const from = starts[next] ?? 0;
      if (from >= end) break;
      let hash = 0;
      let at = from;
      for (; at < end; at += 1) {
        const letter = LETTERS[units[at] ?? 0] ?? 0;
        if (letter === 0) break;
        hash = Math.imul(31, hash) + letter;
      }
      const bit = this.#bitOf(from, at, hash & (PLACES - 1));
      if (bit !== 0) take(bit);
    }
    this.#next = next;
    return true;
  }

  /** Takes a text that is not all in ASCII. */
  #openMixed(text: string): void {
    this.#units.write(text.replaceAll(ALL_OTHERS, String.fromCharCode(OTHER)), 'latin1');
    const others = this.#others;
    const { length } = text;
    let at = this.#units.indexOf(OTHER);
    for (; at !== -1 && at < length; at = this.#units.indexOf(OTHER, at + 1)) others.push(at);
  }

  #lookFor(among: number): void {
    this.#among = among;
    const seconds = this.#seconds;
    seconds.fill(0);
    for (const { word, bit } of this.#words) {
      const first = word.charCodeAt(0);
      if ((among & bit) === 0 || first > LAST_OF_ASCII) continue;
      // Stems of words in ASCII begin as the words do: suffixes are all that is taken off.
      const second = secondLettersOf(word);
      for (const letter of [first, word.toUpperCase().charCodeAt(0) & LAST_OF_ASCII]) {
        seconds[letter] = (seconds[letter] ?? 0) | second;
      }
    }
  }

  #grow(units: number): void {
    this.#units = Buffer.allocUnsafeSlow(units);
    this.#starts = new Uint32Array(units + 1);
  }

  /** Returns the bit of the wanted word that a word of the text is, 0 for none. */
  #bitOf(from: number, to: number, place: number): number {
    const length = to - from;
    if (this.#lengths[place] === length && this.#isKnown(from, length, place)) {
      return this.#bits[place] ?? 0;
    }
    const word = this.#units.toString('latin1', from, to).toLowerCase();
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
      if (LETTERS[units[from + at] ?? 0] !== letters[start + at]) return false;
    }
    return true;
  }
}

/** Returns the bits of the second letters of the words of a stem. */
function secondLettersOf(stem: string): number {
  if (stem.length === 1) return ANY_SECOND;
  const second = bitAt(stem.charCodeAt(1) & LETTER_BITS);
  return stem.length > CHANGED_CHARS ? second : second | SECOND_Y;
}

/** Returns the index of the first place, of some in order, that is not before another one. */
function firstFrom(places: readonly number[], begin: number): number {
  let low = 0;
  let high = places.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((places[middle] ?? 0) < begin) low = middle + 1;
    else high = middle;
  }
  return low;
}
