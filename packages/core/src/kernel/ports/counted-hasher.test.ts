/** Passwords are counted from the call to its result, whatever the result is. */
import { expect, test } from 'vitest';
import { PlainHasher } from '../../../test/login-kit.js';
import { CountedHasher } from './counted-hasher.js';

const login = { authority: 'acme', purpose: 'login' } as const;

test('a waiting call counts until it is answered', async () => {
  const plain = new PlainHasher();
  const hasher = new CountedHasher(plain);
  const release = plain.hold();
  const answers = [hasher.verify('plain a', 'a', login), hasher.verify(undefined, 'b', login)];
  expect(hasher.waiting).toBe(2);
  expect(await hasher.hash('c', login)).toBe('plain c');
  expect(hasher.waiting).toBe(2);
  release();
  expect(await Promise.all(answers)).toEqual([true, false]);
  expect(hasher.waiting).toBe(0);
});

test('a failed call no longer counts, whether it fails at once or later', async () => {
  const hasher = new CountedHasher({
    hash: () => {
      throw new Error('now');
    },
    verify: () => Promise.reject(new Error('later')),
  });
  await expect(hasher.hash('a', login)).rejects.toThrow('now');
  await expect(hasher.verify('a', 'a', login)).rejects.toThrow('later');
  expect(hasher.waiting).toBe(0);
});
