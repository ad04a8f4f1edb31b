/** The decision on an id that may be in use. */
import { expect, test, vi } from 'vitest';
import { originalOf } from './original-of.js';

test('an unused id has no original, and nothing is compared', () => {
  const isSame = vi.fn(() => true);
  const original = originalOf<string>(undefined, isSame);
  expect(original).toBeUndefined();
  expect(isSame).not.toHaveBeenCalled();
});

test('an equal repeat returns the original, anything else conflicts', () => {
  const known = { name: 'a' };
  expect(originalOf(known, ({ name }) => name === 'a')).toBe(known);
  expect(() => originalOf(known, ({ name }) => name === 'b')).toThrow(
    expect.objectContaining({ code: 'idempotency_conflict' }),
  );
});
