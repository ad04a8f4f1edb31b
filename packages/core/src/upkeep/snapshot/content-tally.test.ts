/** Digests of content do not depend on order, and differ for different content. */
import { describe, expect, test } from 'vitest';
import { inMemoryStore } from '../../storage/in-memory-store/in-memory-store.js';
import type { Entry } from '../../storage/store/store.js';
import { insertTenant } from '../../domains/tenancy/tenant/tenant-store.js';
import { ContentTally } from './content-tally.js';
import { families } from '../../domains.js';

/** Returns the stored entries of some tenants. */
async function entriesOf(...tenantIds: string[]): Promise<Entry[]> {
  const store = inMemoryStore();
  await store.transact((tx) => {
    for (const tenantId of tenantIds) {
      insertTenant(tx, { tenantId, createdAtMillis: 0, initialAdminId: 'x', registered: null });
    }
  });
  const entries: Entry[] = [];
  await store.scan(({ key, value }) => {
    entries.push({ key: Uint8Array.from(key), value: Uint8Array.from(value) });
  });
  return entries;
}

function tallyOf(entries: readonly Entry[]) {
  const tally = new ContentTally(families);
  for (const entry of entries) tally.add(entry);
  const tenants = tally.report().families.find(({ family }) => family === 'tenants');
  return tenants;
}

describe('a digest', () => {
  test('does not depend on the order', async () => {
    const entries = await entriesOf('a', 'b', 'c');
    expect(tallyOf(entries.toReversed())).toEqual(tallyOf(entries));
    expect(tallyOf(entries)).toMatchObject({ records: 3, derived_entries: 3 });
  });

  test('differs for different content', async () => {
    const contents = [[], ['a'], ['b'], ['a', 'b'], ['a', 'b', 'c']];
    const digests = await Promise.all(
      contents.map(async (ids) => tallyOf(await entriesOf(...ids))?.sha256),
    );
    expect(new Set(digests).size).toBe(contents.length);
    const entries = await entriesOf('a');
    // Equal entries do not cancel each other out.
    expect(tallyOf([...entries, ...entries])?.sha256).not.toBe(tallyOf([])?.sha256);
  });
});

test('a key belongs to the family of its number, a foreign key to none', () => {
  expect(families.ofKey(Buffer.from([0, 1, 97, 0]))).toBe('tenants');
  expect(families.ofKey(Buffer.from([97, 1, 1, 0, 3]))).toBe('credentials');
  for (const key of [[0, 54, 1], [0, 255], [0], [1, 2, 3]]) {
    expect(families.ofKey(Buffer.from(key))).toBeUndefined();
  }
});
