/** Tables for people. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { tableOf } from './table.js';

const id = '01890a5d-ac96-774b-bcce-b302099a8057';
const header = ['RECORD', 'NAME', 'TYPE', 'EVENT TIME', 'TAGS', 'TEXT'];
const row = [id, 'handbook', 'Observation', '2026-01-01T00:00:00.000Z', 'a,b', 'Short answers.'];

const optional = ['NAME', 'TYPE', 'EVENT TIME', 'TAGS'];
const terminal = (columns: number) => ({ terminal: { columns, hasColors: false } });
const linesOf = (table: string) => table.trimEnd().split('\n');

describe('a table', () => {
  test('leaves out optional columns that a terminal has no room for, and names them', () => {
    expect(linesOf(tableOf(header, [row], { ...terminal(80), optional }))).toEqual([
      'RECORD                                NAME      TYPE         TEXT',
      `${id}  handbook  Observation  Short answers.`,
      'Not shown: EVENT TIME, TAGS. --json shows everything.',
    ]);
  });

  test('has every column and whole cells where there is no terminal', () => {
    const long = [...row.slice(0, -1), 'x'.repeat(200)];
    const [first = '', second = ''] = linesOf(tableOf(header, [long], { optional }));
    expect(first.split(/ {2,}/)).toEqual(header);
    expect(second.split(/ {2,}/)).toEqual(long);
  });

  test('cuts times to what is readable, and keeps an id in the first column whole', () => {
    const dated = [id, '2026-01-31T12:34:56.789Z', 'x'.repeat(100)];
    const at = (columns: number) =>
      linesOf(tableOf(['ID', 'CREATED', 'TEXT'], [dated], terminal(columns)))[1];
    expect(at(100)).toBe(`${id}  2026-01-31T12:34:56.789Z  ${'x'.repeat(35)}…`);
    expect(at(90)).toBe(`${id}  2026-01-31 12:34Z  ${'x'.repeat(32)}…`);
    expect(at(75)).toBe(`${id}  2026-01-31  ${'x'.repeat(24)}…`);
  });

  test('shows all of them on a wide terminal', () => {
    expect(
      linesOf(tableOf(header, [row], { ...terminal(160), optional }))[0]?.split(/ {2,}/),
    ).toEqual(header);
  });

  test('cuts the longest column on a terminal, and nowhere else', () => {
    const long = ['x'.repeat(100), 'ab', 'c'];
    const cut = tableOf(['TEXT', 'A', 'B'], [long], { ...terminal(40), longest: 0 });
    expect(linesOf(cut)[1]).toBe(`${'x'.repeat(32)}…  ab  c`);
    expect(tableOf(['A', 'TEXT'], [['a', long[0] ?? '']])).toContain(long[0]);
  });

  test('is never wider than a terminal that has room for its first column', () => {
    const cells = fc.array(fc.string({ unit: 'grapheme-ascii', maxLength: 40 }), {
      minLength: 6,
      maxLength: 6,
    });
    fc.assert(
      fc.property(
        fc.array(cells, { maxLength: 4 }),
        fc.integer({ min: 80, max: 200 }),
        (rows, columns) => {
          for (const line of linesOf(tableOf(header, rows, { ...terminal(columns), optional }))) {
            expect(line.length).toBeLessThanOrEqual(columns);
          }
        },
      ),
    );
  });
});
