/** The lifetime of an API key. */
import { expect, test } from 'vitest';
import { endOfApiKey, isActive } from './api-key-policy.js';

test('a key expires the given number of 86,400-second days after creation, or never', () => {
  expect(endOfApiKey(1_000, 30)).toBe(1_000 + 30 * 86_400_000);
  expect(endOfApiKey(1_000, 3_650)).toBe(1_000 + 3_650 * 86_400_000);
  expect(endOfApiKey(1_000, null)).toBeNull();
});

test('a key is dead from the moment it expires', () => {
  expect(isActive({ expiresAtMillis: 1_000 }, 999)).toBe(true);
  expect(isActive({ expiresAtMillis: 1_000 }, 1_000)).toBe(false);
  expect(isActive({ expiresAtMillis: null }, Number.MAX_SAFE_INTEGER)).toBe(true);
});
