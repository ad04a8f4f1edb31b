/**
 * The store in memory against the suite, and what it does differently from stores on disk.
 * @module
 */
import { describe, expect, test } from 'vitest';
import { storeConformance } from '../store-testing/store-conformance.js';
import { inMemoryStore } from './in-memory-store.js';

storeConformance(
  { describe, test, expect },
  {
    name: 'in memory',
    open: async () => inMemoryStore(),
    reopen: { reason: 'a store in memory keeps nothing' },
    backups: { reason: 'a store in memory has no files' },
  },
);

describe('a store in memory', () => {
  test('says that it has no files to copy', async () => {
    await expect(inMemoryStore().backup('unused')).rejects.toThrow('no files to copy');
  });

  test('overwrites the bytes that it lent out', async () => {
    const store = inMemoryStore();
    const key = Uint8Array.from([1]);
    await store.transact((tx) => tx.put(key, Uint8Array.from([7])));
    const kept = await store.read((tx) => {
      const lent = tx.get(key);
      tx.get(key);
      return lent?.[0];
    });
    expect(kept).not.toBe(7);
  });

  test('is not the same store as another one', async () => {
    const store = inMemoryStore();
    await store.transact((tx) => tx.put(Uint8Array.from([1]), Uint8Array.from([7])));
    expect(await inMemoryStore().stats()).toMatchObject({ entries: 0, sizeBytes: 0 });
  });
});
