/**
 * The form in which texts are compared: NFKC_Casefold of Unicode (section 3.13 of the standard).
 * Two texts have one form if they differ in case, in canonically or compatibly equivalent
 * characters, or in characters that are not shown. Normalisation is that of the runtime. What it
 * makes of assigned characters never changes, so stored forms stay valid after an upgrade.
 *
 * Unicode simple case folding: one code point to one code point, without locale and normalisation.
 * It uses a committed table, so that stored folded text stays valid when the runtime is upgraded.
 */
import { Buffer } from 'node:buffer';
import { CASE_FOLD_RUNS } from './case-fold-table.js';
import { composeText } from './compose-text.js';

/** Finds a character that is not in ASCII. */
export const NON_ASCII = /[^\0-\x7f]/;

/** Letters whose full case fold is not their simple one. */
const FULL =
  /[ßİ\u1f80-\u1faf\u1fb2-\u1fb4\u1fb7\u1fbc\u1fc2-\u1fc4\u1fc7\u1fcc\u1ff2-\u1ff4\u1ff7\u1ffc]/;
const ALL_FULL = new RegExp(FULL, 'g');

/** What joins the character before it: marks, and vowels and finals of Hangul syllables. */
const JOINING = /^[\p{M}\u1160-\u11ff]/u;

/** Returns the form in which a text is compared. It is the form of itself. */
export function foldText(text: string): string {
  if (!NON_ASCII.test(text)) return text.toLowerCase();
  const folded = foldCase(composeText(text));
  const whole = FULL.test(folded) ? folded.replace(ALL_FULL, fullFoldOf) : folded;
  // Lower case has composed characters that upper case lacks.
  return whole.normalize('NFKC');
}

function fullFoldOf(letter: string): string {
  if (letter === 'ß') return 'ss';
  if (letter === 'İ') return 'i\u0307';
  // The iota below a Greek letter becomes a letter behind it.
  return letter.normalize('NFD').replace('\u0345', 'ι');
}

/** A range of at least one character of a text, in UTF-16 units. */
export interface TextRange {
  readonly from: number;
  readonly to: number;
}

/** The folded form of a text, and where its parts are in the text. */
export interface FoldedText {
  readonly folded: string;
  /** Returns the smallest range of whole characters of the text that folds to a range. */
  readonly shown: (range: TextRange) => TextRange;
}

/** Folds a text as {@link foldText} does, and keeps where each character was. */
export function foldWithPlaces(text: string): FoldedText {
  if (!NON_ASCII.test(text)) return { folded: text.toLowerCase(), shown: (range) => range };
  let folded = '';
  /** Where each part begins in the folded form, and in the text, which ends with the last one. */
  const foldedAt: number[] = [];
  const shownAt = [0];
  for (const part of composedParts(text)) {
    foldedAt.push(folded.length);
    folded += foldText(part);
    shownAt.push((shownAt.at(-1) ?? 0) + part.length);
  }
  const shown = ({ from, to }: TextRange): TextRange => ({
    from: shownAt[partAt(foldedAt, from)] ?? 0,
    to: shownAt[partAt(foldedAt, to - 1) + 1] ?? text.length,
  });
  return { folded, shown };
}

/** Splits a text where no character is composed or put in order with one before it. */
function composedParts(text: string): string[] {
  const parts: string[] = [];
  for (const char of text) {
    const folded = foldText(char);
    const isJoined = folded === '' || JOINING.test(folded) || JOINING.test(char);
    const before = isJoined ? (parts.pop() ?? '') : '';
    parts.push(before + char);
  }
  return parts;
}

/** Returns the part that a place of the folded form is in: the last that begins there or before. */
function partAt(starts: readonly number[], place: number): number {
  let low = 0;
  let high = starts.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((starts[middle] ?? 0) <= place) low = middle + 1;
    else high = middle;
  }
  return Math.max(0, low - 1);
}

/** No code point from this one on folds. Every fold stays in its plane of 65,536. */
const FOLDED_CODE_POINTS_END = 0x20000;
const DELTAS = expandRuns(CASE_FOLD_RUNS);

/** Returns the number to add to each code point, modulo 65,536. */
function expandRuns(runs: readonly number[]): Uint16Array {
  const expanded = new Uint16Array(FOLDED_CODE_POINTS_END);
  for (let at = 0; at + 3 < runs.length; at += 4) {
    const [first, last, step, delta] = runs.slice(at, at + 4) as [number, number, number, number];
    for (let code = first; code <= last; code += step) expanded[code] = delta;
  }
  return expanded;
}

/**
 * Folds the case of `text`. Two folded texts are equal exactly when a regular expression with the
 * flags `iu` matches one with the other: Σ, σ and ς fold to the same letter, and so do K and the
 * Kelvin sign, s and ſ, ß and ẞ. İ and i do not, nor do ß and ss. Folding keeps the number of code
 * points and is idempotent.
 *
 * @param text - Any string. Lone surrogates stay the same.
 */
export function foldCase(text: string): string {
  return NON_ASCII.test(text) ? foldUnits(text) : text.toLowerCase();
}

function foldUnits(text: string): string {
  const units = Buffer.allocUnsafe(text.length * 2);
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    const code = isHighSurrogate(unit) ? (text.codePointAt(at) ?? unit) : unit;
    if (code <= 0xffff) {
      writeUnit(units, at, code + (DELTAS[code] ?? 0));
    } else {
      const folded = (code & ~0xffff) | ((code + (DELTAS[code] ?? 0)) & 0xffff);
      writeUnit(units, at, 0xd7c0 + (folded >> 10));
      at += 1;
      writeUnit(units, at, 0xdc00 | (folded & 0x3ff));
    }
  }
  return units.toString('utf16le');
}

/** Writes one code unit in little-endian order. */
function writeUnit(units: Buffer, at: number, unit: number): void {
  units[at * 2] = unit;
  units[at * 2 + 1] = unit >> 8;
}

function isHighSurrogate(unit: number): boolean {
  return (unit & 0xfc00) === 0xd800;
}
