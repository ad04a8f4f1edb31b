/**
 * How long an API key lives.
 * @module
 */
import { expect, test } from 'vitest';
import { endOfApiKey, isActive } from './api-key-policy.js';

test('a key ends so many days of 86,400 seconds after it was made, or never', () => {
  expect(endOfApiKey(1_000, 30)).toBe(1_000 + 30 * 86_400_000);
  expect(endOfApiKey(1_000, 3_650)).toBe(1_000 + 3_650 * 86_400_000);
  expect(endOfApiKey(1_000, null)).toBeNull();
});

test('a key is dead from its end on', () => {
  expect(isActive({ expiresAtMillis: 1_000 }, 999)).toBe(true);
  expect(isActive({ expiresAtMillis: 1_000 }, 1_000)).toBe(false);
  expect(isActive({ expiresAtMillis: null }, Number.MAX_SAFE_INTEGER)).toBe(true);
});
