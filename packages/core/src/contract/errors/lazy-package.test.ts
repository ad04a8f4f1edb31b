/** A package is loaded once, when it is first needed. */
import { expect, test } from 'vitest';
import { LazyPackage } from './lazy-package.js';

test('is loaded by its first use only', async () => {
  let loads = 0;
  const lazy = new LazyPackage('lmdb', () => Promise.resolve((loads += 1)));
  expect(loads).toBe(0);
  expect(await Promise.all([lazy.get(), lazy.get()])).toEqual([1, 1]);
  expect(await lazy.get()).toBe(1);
});

test('is named by the error if it cannot be loaded', async () => {
  const cause = new Error('ENOENT');
  const lazy = new LazyPackage('@node-rs/argon2', () => Promise.reject(cause));
  await expect(lazy.get()).rejects.toMatchObject({
    code: 'internal_error',
    cause: { message: expect.stringContaining('@node-rs/argon2') as unknown, cause },
  });
});
