/**
 * Writes packages/core/src/domains/memory/text/case-fold-table.ts: the simple case folding that
 * the regular expression engine of the running Node applies under the flags `iu`, as runs of code
 * points.
 * Usage: `node scripts/generate-case-fold.mjs [output file]`.
 *
 * Stored search text is folded with this table, so a new table changes a stored layout: bump the
 * stored version of the folded text with it.
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const codePointMax = 0x10ffff;
const defaultOutput = new URL(
  '../packages/core/src/domains/memory/text/case-fold-table.ts',
  import.meta.url,
);

/** Returns all code points except surrogates, split by whether they have a case. */
function splitCodePoints() {
  const cased = [];
  const uncased = [];
  for (let code = 0; code <= codePointMax; code += 1) {
    if (code >= 0xd800 && code <= 0xdfff) continue;
    const char = String.fromCodePoint(code);
    const maps = char.toLowerCase() !== char || char.toUpperCase() !== char;
    (maps || /\p{Cased}/u.test(char) ? cased : uncased).push(code);
  }
  return { cased, uncased };
}

/** Returns the body of a character class that matches exactly `codes` (ascending). */
function classBody(codes) {
  const ranges = [];
  for (const code of codes) {
    const last = ranges.at(-1);
    if (last?.[1] === code - 1) last[1] = code;
    else ranges.push([code, code]);
  }
  return ranges.map((range) => range.map((c) => `\\u{${c.toString(16)}}`).join('-')).join('');
}

/**
 * Throws if a code point without case properties matches another code point. Two code points differ
 * in at least one bit, so one test per bit covers all pairs; the low eight bits are tested block by
 * block to keep the classes small.
 */
function assertUncasedMatchNothing(uncased, cased) {
  assertNoMatch(uncased, cased);
  for (let bit = 8; bit < 21; bit += 1) assertNoMatch(...splitByBit(uncased, bit));
  const blocks = new Map();
  for (const code of uncased) {
    const block = blocks.get(code >> 8);
    if (block === undefined) blocks.set(code >> 8, [code]);
    else block.push(code);
  }
  for (const block of blocks.values()) {
    for (let bit = 0; bit < 8; bit += 1) assertNoMatch(...splitByBit(block, bit));
  }
}

function splitByBit(codes, bit) {
  return [codes.filter((code) => (code >> bit) & 1), codes.filter((code) => !((code >> bit) & 1))];
}

function assertNoMatch(codes, others) {
  if (new RegExp(`[${classBody(codes)}]`, 'iu').test(toText(others))) {
    throw new Error('a code point without case properties matches another one');
  }
}

function toText(codes) {
  return codes.map((code) => String.fromCodePoint(code)).join('');
}

/** Returns the member of an equivalence class that simple case folding maps the others to. */
function representative(members) {
  let left = members;
  const keep = (test) => {
    const kept = left.filter((code) => test(String.fromCodePoint(code)));
    if (kept.length > 0) left = kept;
  };
  keep((char) => char.normalize('NFC') === char);
  keep((char) => !/\p{Changes_When_Casefolded}/u.test(char));
  keep((char) => char.toLowerCase() === char);
  return left.at(-1);
}

/** Returns pairs of a code point and its folding, ascending, without unchanged ones. */
function foldPairs(cased) {
  const pairs = [];
  const seen = new Set();
  const text = toText(cased);
  for (const code of cased) {
    if (seen.has(code)) continue;
    const found = text.match(new RegExp(`\\u{${code.toString(16)}}`, 'giu')) ?? [];
    const members = found.map((char) => char.codePointAt(0));
    const target = representative(members);
    for (const member of members) {
      seen.add(member);
      if (member !== target) pairs.push([member, target]);
    }
  }
  return pairs.sort(([a], [b]) => a - b);
}

/** Returns runs `[first, last, step, delta]` of pairs with equal steps and deltas. */
function toRuns(pairs) {
  const runs = [];
  for (const [code, target] of pairs) {
    if (code >>> 16 !== target >>> 16 || code > 0x1ffff) throw new Error('fold leaves its plane');
    const run = runs.at(-1);
    const step = run === undefined ? 0 : code - run.last;
    const fits = run?.delta === target - code && (run.step === step || run.first === run.last);
    if (fits && step <= 2) Object.assign(run, { last: code, step });
    else runs.push({ first: code, last: code, step: 1, delta: target - code });
  }
  return runs;
}

/** Formats numbers like Prettier: indented by two spaces, at most 100 columns. */
function fill(numbers) {
  const lines = [];
  let line = ' ';
  for (const number of numbers) {
    if (line.length + number.length + 2 > 100) {
      lines.push(line);
      line = ' ';
    }
    line += ` ${number},`;
  }
  return [...lines, line].join('\n');
}

function render(runs) {
  const hex = (number) => `${number < 0 ? '-' : ''}0x${Math.abs(number).toString(16)}`;
  const numbers = runs.flatMap((r) => [hex(r.first), hex(r.last), hex(r.step), hex(r.delta)]);
  return `/**
 * The simple case folding of Unicode ${process.versions.unicode}. Generated by
 * scripts/generate-case-fold.mjs; do not edit.
 */

/** The Unicode version of the table. */
export const CASE_FOLD_UNICODE_VERSION = '${process.versions.unicode}';

/**
 * Runs of four numbers: first and last code point, step between code points, and the number to add
 * to each. A code point in no run folds to itself.
 */
export const CASE_FOLD_RUNS: readonly number[] = [
${fill(numbers)}
];
`;
}

const { cased, uncased } = splitCodePoints();
assertUncasedMatchNothing(uncased, cased);
const output = process.argv[2] ?? fileURLToPath(defaultOutput);
writeFileSync(output, render(toRuns(foldPairs(cased))));
