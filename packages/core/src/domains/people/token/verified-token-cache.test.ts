/** The cache is bounded and never returns an expired token. */
import { expect, test } from 'vitest';
import type { VerifiedToken } from '../../../kernel/ports/tokens.js';
import { VerifiedTokenCache } from './jose-tokens.js';

function stated(jti: string, expiresAtSecs = 100): VerifiedToken {
  return {
    kind: 'session',
    accountId: 'a',
    tenantId: null,
    username: 'ann',
    roles: [],
    sessionId: 's',
    jti,
    bound: null,
    issuedAtSecs: 0,
    expiresAtSecs,
  };
}

test('a token is cached until the millisecond at which it expires', () => {
  const cache = new VerifiedTokenCache();
  const token = stated('1');
  cache.remember('one', token);
  expect(cache.find('one', 99_999)).toBe(token);
  expect(cache.find('other', 0)).toBeUndefined();
  expect(cache.find('one', 100_000)).toBeUndefined();
  expect(cache.size).toBe(0);
});

test('the oldest tokens are dropped first', () => {
  const cache = new VerifiedTokenCache(2);
  for (const name of ['1', '2', '3']) cache.remember(name, stated(name));
  expect(cache.size).toBe(2);
  expect(cache.find('1', 0)).toBeUndefined();
  expect(cache.find('2', 0)?.jti).toBe('2');
  expect(cache.find('3', 0)?.jti).toBe('3');
});

test('caching a token again takes no further place', () => {
  const cache = new VerifiedTokenCache(2);
  for (const name of ['1', '2', '2', '2']) cache.remember(name, stated(name));
  expect(cache.find('1', 0)?.jti).toBe('1');
});
