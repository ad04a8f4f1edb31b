/** Finding bytes gives the same results as a naive search, in linear time. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cpuMsOf } from '@agentkeep/testkit/cpu-time';
import { BytePattern } from './find-bytes.js';

test('finds matches between two offsets, and none that extend beyond them', () => {
  // Few letters and long parts, so that parts overlap themselves and often have common prefixes.
  const bytes = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 300 });
  const part = fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 1, maxLength: 200 });
  fc.assert(
    fc.property(bytes, part, fc.nat(300), fc.nat(300), fc.boolean(), (text, chosen, ...rest) => {
      const [one, other, isPart] = rest;
      const start = Math.min(one, other, text.length);
      const end = Math.min(Math.max(one, other), text.length);
      const wanted = isPart ? text.slice(start, end) || 'a' : chosen;
      const at = new BytePattern(Buffer.from(wanted)).indexIn(Buffer.from(text), start, end);
      const expected = text.slice(start, end).indexOf(wanted);
      expect(at).toBe(expected === -1 ? -1 : start + expected);
    }),
    { numRuns: 2_000 },
  );
});

test('repetitive parts cost no more than others', async () => {
  const half = 'a'.repeat(16_000);
  const text = Buffer.from('a'.repeat(64_000));
  const hostile = new BytePattern(Buffer.from(`${half}b${half}`));
  const cpuMs = await cpuMsOf(() => {
    for (let entry = 0; entry < 200; entry += 1) {
      expect(hostile.indexIn(text, 0, text.length)).toBe(-1);
    }
  });
  // A naive search takes half a minute. This one takes a tenth of a second.
  expect(cpuMs).toBeLessThan(5_000);
});
