/** Every text can be searched for. */
import fc from 'fast-check';
import { expect, inject, test } from 'vitest';
import { findRecords } from '../src/find-records.js';
import { concepts } from './concepts.js';
import { opened, scope } from './two-ways.js';

test.each([
  ['words', undefined],
  ['words and meaning', concepts],
])('no text of a user makes a search by %s fail', async (_name, embed) => {
  await using desk = await opened('embedded', embed);
  const script = (first: number, last: number) =>
    fc.integer({ min: first, max: last }).map((code) => String.fromCodePoint(code));
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 200 }),
    fc.string({ unit: script(0x4e00, 0x9fff), maxLength: 200 }),
    fc.string({ unit: script(0x0e00, 0x0e7f), maxLength: 200 }),
    fc.string({
      unit: fc.constantFrom('a', 'ß', '*', '"', ' ', '\u{20bb7}', '\ud842'),
      maxLength: 99,
    }),
  );
  const property = fc.asyncProperty(text, async (each) => {
    expect(await findRecords(desk.agent, { scope, text: each, limit: 3 })).toEqual([]);
  });
  await fc.assert(property, { seed: inject('seed'), numRuns: 300 });
});
