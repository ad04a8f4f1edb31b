/** Compact integers are read as they were written, from as many bytes as they took. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { COMPACT_BYTES_MAX, compactSize, readCompact, writeCompact } from './value.js';

const integer = fc.oneof(
  fc.nat(300),
  fc.maxSafeNat(),
  fc.constantFrom(127, 128, 16_383, 16_384, 2 ** 31, 2 ** 32, Number.MAX_SAFE_INTEGER),
);

test('an integer is read as it was written, whatever follows', () => {
  fc.assert(
    fc.property(integer, fc.nat(3), fc.nat(255), (value, start, rest) => {
      const bytes = Buffer.alloc(start + COMPACT_BYTES_MAX + 1, rest);
      const end = writeCompact(bytes, start, value);
      expect(end - start).toBe(compactSize(value));
      expect(readCompact(bytes, start)).toBe(value);
      expect(bytes[end]).toBe(rest);
    }),
  );
});

test('bytes without an end are refused', () => {
  expect(() => readCompact(Buffer.alloc(20, 0xff), 0)).toThrow(RangeError);
});
