/** Which numbers of JSON a double changes. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { inexactNumber, replaceInexactNumbers } from './exact-numbers.js';

test.each([
  ['{"v":1234567890123456789}', '1234567890123456789'],
  ['[9007199254740993]', '9007199254740993'],
  ['[-9007199254740993]', '-9007199254740993'],
  // A double, which is written 1152921504606847000.
  ['[1152921504606846976]', '1152921504606846976'],
  ['{"a":{"b":1e400}}', '1e400'],
  ['[-1E+999]', '-1E+999'],
  ['[9007199254740992, 9007199254740993]', '9007199254740993'],
  ['[9007199254740993.0]', '9007199254740993.0'],
  ['{"a":900719925474099.3e1}', '900719925474099.3e1'],
  ['[90071992547409930e-1]', '90071992547409930e-1'],
  ['[9007199254740.993E+3]', '9007199254740.993E+3'],
  ['9007199254740993', '9007199254740993'],
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
  '[26278409323908150.0, 1e0, 100E-2, 0e999, -0.0, 1.5e300, 123456789012345.6789e0]',
  '{}',
])('%s has none', (json) => {
  expect(inexactNumber(json)).toBeUndefined();
});

test('an integer is exact when a double is written with its digits, however it is written', () => {
  const integer = fc.tuple(fc.bigInt({ min: -(10n ** 25n), max: 10n ** 25n }), fc.nat(30));
  fc.assert(
    fc.property(integer, ([whole, shift]) => {
      const digits = String(whole);
      const isExact = BigInt(written(Number(digits))) === whole;
      const forms = [
        digits,
        `${digits}.0`,
        `${digits}e0`,
        `${digits}${'0'.repeat(shift)}e-${shift}`,
      ];
      const found = forms.map((form) => inexactNumber(`{"a":${form}}`) === undefined);
      expect(found).toEqual(forms.map(() => isExact));
    }),
  );
});

/** Returns a double as an integer in digits, from the digits that JSON.stringify writes. */
function written(number: number): string {
  const [digits = '', zeros = '0'] = String(number).split('e+');
  const [whole = '', fraction = ''] = digits.split('.');
  return whole + fraction.padEnd(Number(zeros), '0');
}

test('long texts of escapes are passed over', () => {
  const json = `["${'\\n'.repeat(5_000_000)}",9007199254740993]`;
  expect(inexactNumber(json)).toBe('9007199254740993');
});

test('a number is read as infinity instead', () => {
  const json = '{"a":[9007199254740993,"9007199254740993",1.5]}';
  expect(JSON.parse(replaceInexactNumbers(json))).toEqual({
    a: [Infinity, '9007199254740993', 1.5],
  });
});
