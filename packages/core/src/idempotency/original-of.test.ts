/**
 * What a used id means.
 * @module
 */
import { expect, test } from 'vitest';
import { originalOf } from './original-of.js';

test('an unused id has no original, and nothing is compared', () => {
  const never = (): never => {
    throw new Error('compared');
  };
  expect(originalOf(undefined, never)).toBeUndefined();
});

test('the same again gives the original, anything else conflicts', () => {
  const known = { name: 'a' };
  expect(originalOf(known, ({ name }) => name === 'a')).toBe(known);
  expect(() => originalOf(known, ({ name }) => name === 'b')).toThrow(
    expect.objectContaining({ code: 'idempotency_conflict' }),
  );
});
