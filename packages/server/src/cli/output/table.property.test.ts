/** Tables fit the line of a terminal, and are whole elsewhere. */
import fc from 'fast-check';
import widthOf from 'fast-string-truncated-width';
import { expect, test } from 'vitest';
import { tableOf } from './table.js';

const ID = '0190c2f0-0000-7000-8000-000000000000';
const TIME = '2026-01-31T12:34:56.789Z';

const cell = fc.oneof(
  fc.constantFrom('-', ID, TIME, 'memory_read,memory_write', '記憶'.repeat(30)),
  fc.stringMatching(/^[\w ,.:-]{0,60}$/),
);
const table = fc.integer({ min: 1, max: 9 }).chain((columns) =>
  fc.record({
    header: fc.array(fc.stringMatching(/^[A-Z_]{1,14}$/), {
      minLength: columns,
      maxLength: columns,
    }),
    rows: fc.array(fc.array(cell, { minLength: columns, maxLength: columns }), { maxLength: 5 }),
  }),
);

function linesOf(text: string): string[] {
  return text.trimEnd().split('\n');
}

test('CMD-27 a table fits any terminal of 80 columns or more', () => {
  fc.assert(
    fc.property(table, fc.integer({ min: 80, max: 240 }), ({ header, rows }, columns) => {
      const shown = linesOf(tableOf(header, rows, { columns, hasColors: false }));
      for (const line of shown) expect(widthOf(line).width).toBeLessThanOrEqual(columns);
      expect(shown.length - rows.length).toBeLessThanOrEqual(2);
    }),
  );
});

test('CMD-17 a table that is piped has every cell whole', () => {
  fc.assert(
    fc.property(table, ({ header, rows }) => {
      const text = tableOf(header, rows);
      for (const each of [header, ...rows].flat()) expect(text).toContain(each.trimEnd());
    }),
  );
});

test('CMD-27 keeps ids of the first column whole, cuts times to what is readable', () => {
  const header = ['ID', 'CREATED', 'TEXT'];
  const rows = [[ID, TIME, 'x'.repeat(100)]];
  const at = (columns: number) => linesOf(tableOf(header, rows, { columns, hasColors: false }))[1];
  expect(at(200)).toBe(`${ID}  ${TIME}  ${'x'.repeat(100)}`);
  expect(at(100)).toBe(`${ID}  ${TIME}  ${'x'.repeat(35)}…`);
  expect(at(90)).toBe(`${ID}  2026-01-31 12:34Z  ${'x'.repeat(32)}…`);
  expect(at(75)).toBe(`${ID}  2026-01-31  ${'x'.repeat(24)}…`);
});

test('CMD-27 leaves out first what yields', () => {
  const header = ['ID', { header: 'A', yields: true }, 'B', 'TEXT'];
  const rows = [[ID, ...['a', 'b', 'x'].map((each) => each.repeat(20))]];
  const at = (columns: number) => linesOf(tableOf(header, rows, { columns, hasColors: false }))[0];
  expect(at(80)).toMatch(/^ID +A +B +TEXT$/);
  expect(at(70)).toMatch(/^ID +B +TEXT$/);
});

test('CMD-27 names the columns that have no room, whatever the width', () => {
  const header = ['ID', 'A', 'B', 'C', 'D', 'TEXT'];
  const rows = [[ID, ...['a', 'b', 'c', 'd', 'x'].map((each) => each.repeat(60))]];
  const shown = linesOf(tableOf(header, rows, { columns: 80, hasColors: false }));
  expect(shown[0]).toMatch(/^ID +A +B +TEXT$/);
  expect(shown.at(-1)).toBe('Not shown: C, D. --json shows everything.');
});
