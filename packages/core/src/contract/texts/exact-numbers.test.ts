/** Which numbers of JSON a double changes. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { inexactNumber } from './exact-numbers.js';

test.each([
  ['{"v":1234567890123456789}', '1234567890123456789'],
  ['[9007199254740993]', '9007199254740993'],
  ['[-9007199254740993]', '-9007199254740993'],
  // A double, which is written 1152921504606847000.
  ['[1152921504606846976]', '1152921504606846976'],
  ['{"a":{"b":1e400}}', '1e400'],
  ['[-1E+999]', '-1E+999'],
  ['[9007199254740992, 9007199254740993]', '9007199254740993'],
])('%s has %s', (json, wanted) => {
  expect(inexactNumber(json)).toBe(wanted);
});

test('what JSON.stringify writes is never replaced', () => {
  fc.assert(
    fc.property(fc.double({ noDefaultInfinity: true, noNaN: true }), (number) => {
      expect(inexactNumber(JSON.stringify([number]))).toBeUndefined();
    }),
  );
});

test.each([
  '[9007199254740991, 9007199254740992, 1e22, 1.7976931348623157e308]',
  '{"v":"1234567890123456789"}',
  '["a \\" 1234567890123456789"]',
  '["\\\\", 1]',
  '[0.1234567890123456789, 1e-400]',
  '[26278409323908150, 10000000000000000000000]',
  '{}',
])('%s has none', (json) => {
  expect(inexactNumber(json)).toBeUndefined();
});
