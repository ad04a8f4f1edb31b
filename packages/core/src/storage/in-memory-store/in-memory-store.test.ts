/** The in-memory store passes the conformance suite; cases where it differs from stores on disk. */
import { describe, expect, test } from 'vitest';
import { storeConformance } from '../store-testing/store-conformance.js';
import { inMemoryStore } from './in-memory-store.js';

storeConformance(
  { describe, test, expect },
  {
    name: 'in memory',
    open: async () => inMemoryStore(),
    reopen: { reason: 'an in-memory store keeps nothing' },
    backups: { reason: 'an in-memory store has no files' },
  },
);

describe('an in-memory store', () => {
  test('refuses backups, because it has no files', async () => {
    await expect(inMemoryStore().backup('unused')).rejects.toThrow('no files to copy');
  });

  test('overwrites bytes on loan with the next call', async () => {
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

  test('shares no data with another in-memory store', async () => {
    const store = inMemoryStore();
    await store.transact((tx) => tx.put(Uint8Array.from([1]), Uint8Array.from([7])));
    expect(await inMemoryStore().stats()).toMatchObject({ entries: 0, sizeBytes: 0 });
  });
});
