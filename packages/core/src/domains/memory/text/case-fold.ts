/**
 * Unicode simple case folding: one code point to one code point, without locale and normalisation.
 * It uses a committed table, so that stored folded text stays valid when the runtime is upgraded.
 */
import { Buffer } from 'node:buffer';
import { CASE_FOLD_RUNS } from './case-fold-table.js';

/** No code point from this one on folds. Every fold stays in its plane of 65,536. */
const FOLDED_CODE_POINTS_END = 0x20000;

const NON_ASCII = /[^\0-\x7f]/;
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
