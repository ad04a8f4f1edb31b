/**
 * Unicode simple case folding for text search: one code point to one code point, with no locale and
 * no normalisation, from a committed table, so that stored folded text keeps its meaning when the
 * runtime is upgraded.
 * @module
 */
import { Buffer } from 'node:buffer';
import { CASE_FOLD_RUNS } from './case-fold-table.js';

/** Nothing at or above this code point folds; every fold stays in its plane of 65,536. */
const FOLDED_CODE_POINTS_END = 0x20000;

const NON_ASCII = /[^\0-\x7f]/;
const DELTAS = expandRuns(CASE_FOLD_RUNS);

/** What to add to each code point, modulo 65,536. */
function expandRuns(runs: readonly number[]): Uint16Array {
  const expanded = new Uint16Array(FOLDED_CODE_POINTS_END);
  for (let at = 0; at + 3 < runs.length; at += 4) {
    const [first, last, step, delta] = runs.slice(at, at + 4) as [number, number, number, number];
    for (let code = first; code <= last; code += step) expanded[code] = delta;
  }
  return expanded;
}

/**
 * Folds the case of `text`, so that two texts are equal after folding exactly when a regular
 * expression with the flags `iu` matches the one with the other: Σ, σ and ς are one letter, so are
 * K and the Kelvin sign, s and ſ, ß and ẞ; İ, and ß against ss, are not. The number of code points
 * stays as it is, and folding twice changes nothing more.
 *
 * @param text - Any string; a lone surrogate stays as it is.
 * @returns The folded text, in UTF-16 as usual.
 */
export function foldCase(text: string): string {
  return NON_ASCII.test(text) ? foldUnits(text) : text.toLowerCase();
}

/**
 * Folds the case of `text` and encodes it, for search by bytes: one text contains another exactly
 * when the bytes of the one contain the bytes of the other. The byte 0xFF never occurs.
 *
 * @param text - A well-formed string; a lone surrogate would become U+FFFD.
 * @returns UTF-8 bytes of the folded text; short ones are a view into Node's shared buffer pool.
 */
export function foldToBytes(text: string): Buffer {
  return Buffer.from(foldCase(text), 'utf8');
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

/** Writes one code unit, little end first; a byte takes its value modulo 256. */
function writeUnit(units: Buffer, at: number, unit: number): void {
  units[at * 2] = unit;
  units[at * 2 + 1] = unit >> 8;
}

function isHighSurrogate(unit: number): boolean {
  return (unit & 0xfc00) === 0xd800;
}
