/** A copy has the entries of its source, and their digests are equal. */
import { expect, test } from 'vitest';
import { inMemoryStore } from '../../storage/in-memory-store/in-memory-store.js';
import { copyStore } from './copy-store.js';

test('OPR-9 a copy reports the entries and the digest of its source', async () => {
  const [from, to] = [inMemoryStore(), inMemoryStore()];
  await from.transact((tx) => {
    for (let key = 1; key <= 3; key++) tx.put(Uint8Array.of(key), Uint8Array.of(key, key));
  });
  const report = await copyStore({ from: { store: from }, to: { store: to } });
  expect(report.entries).toBe(3);
  const again = await copyStore({ from: { store: to }, to: { store: inMemoryStore() } });
  expect(again).toEqual(report);
});

test('OPR-9 copying into a store with entries is refused', async () => {
  const [from, to] = [inMemoryStore(), inMemoryStore()];
  await to.transact((tx) => {
    tx.put(Uint8Array.of(1), Uint8Array.of(1));
  });
  const copied = copyStore({ from: { store: from }, to: { store: to } });
  await expect(copied).rejects.toMatchObject({ code: 'directory_not_empty' });
});
