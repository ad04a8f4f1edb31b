/** The decision on an id or a key that may be in use. */
import { expect, test, vi } from 'vitest';
import { originalOf, originalWith } from './original-of.js';

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

test('what is stored with a fingerprint is the original of an equal command only', () => {
  const receipt = { fingerprint: 'f' };
  expect(originalWith<typeof receipt>(undefined, 'f')).toBeUndefined();
  expect(originalWith(receipt, 'f')).toBe(receipt);
  expect(() => originalWith(receipt, 'g')).toThrow(
    expect.objectContaining({ code: 'idempotency_conflict' }),
  );
});
