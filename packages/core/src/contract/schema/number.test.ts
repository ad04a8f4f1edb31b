/** Integers are written with commas as the English locale writes them. */
import { expect, test } from 'vitest';
import { withCommas } from './number.js';

test.each([0, 9, 10, 256, 999, 1_000, 65_536, 123_456, 1_048_576, Number.MAX_SAFE_INTEGER])(
  '%i has commas between thousands',
  (value) => {
    expect(withCommas(value)).toBe(value.toLocaleString('en'));
  },
);
