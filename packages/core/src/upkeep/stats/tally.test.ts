/** The tally of a store: what it counts, when, and what it stores for the next opening. */
import { expect, test } from 'vitest';
import { inMemoryStore } from '../../storage/in-memory-store/in-memory-store.js';
import type { Store, WriteTx } from '../../storage/store/store.js';
import { speculative } from '../../storage/store-testing/speculative-store.js';
import { storeOver } from '../../storage/store-testing/store-over.js';
import { insertTenant } from '../../domains/tenancy/tenant/tenant-store.js';
import { ManualClock } from '../../testing/manual-clock.js';
import { noteChange, sessionCounter } from '../../kernel/counts/counts.js';
import { openFollowed } from '../../../test/tally-kit.js';
import { Tally } from './tally.js';
import { findState, storedNumbers } from '../stored/tally-store.js';
import { families } from '../../domains.js';

const clock = new ManualClock(Date.UTC(2026, 0, 1));

const tenant = (tenantId: string) => (tx: WriteTx) => {
  insertTenant(tx, { tenantId, createdAtMillis: 0, initialAdminId: 'x', registered: null });
};

async function tenantsOf(tally: Tally): Promise<number> {
  return (await tally.entries()).tenants;
}

/** Returns a store with so many tenants and no tally. */
async function filledStore(tenants: number): Promise<Store> {
  const store = inMemoryStore();
  for (let index = 0; index < tenants; index++) await store.transact(tenant(`t${index}`));
  return store;
}

test('an empty store counts nothing, and opening it writes nothing', async () => {
  const store = inMemoryStore();
  const tally = await openFollowed(Tally, { store, clock });
  expect(await tally.entries()).toEqual({
    tenants: 0,
    credentials: 0,
    accounts: 0,
    sessions: 0,
    memory_records: 0,
    receipts: 0,
    audit_events: 0,
  });
  expect((await store.stats()).entries).toBe(0);
});

test('a change counts once it is committed, before its caller goes on', async () => {
  const tally = await openFollowed(Tally, { store: inMemoryStore(), clock });
  const store = tally.followed();
  await store.transact(tenant('a'));
  expect(await tenantsOf(tally)).toBe(1);
  const failing = store.transact((tx) => {
    tenant('b')(tx);
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  expect(await tenantsOf(tally)).toBe(1);
});

test('a body that runs more than once counts once', async () => {
  const inner = inMemoryStore();
  const twice = storeOver(inner, {
    transact: (body) =>
      inner.transact((tx) => {
        body(tx);
        return body(tx);
      }),
  });
  const tally = await openFollowed(Tally, { store: twice, clock });
  await tally.followed().transact(tenant('a'));
  expect(await tenantsOf(tally)).toBe(1);
});

test('the notes of discarded runs do not count', async () => {
  const tally = await openFollowed(Tally, { store: speculative(inMemoryStore()), clock });
  await tally.followed().transact(tenant('a'));
  await tally.followed().transact(tenant('b'));
  expect(await tenantsOf(tally)).toBe(2);
});

test('stored numbers are valid from closing until the first change after reopening', async () => {
  const store = inMemoryStore();
  const first = await openFollowed(Tally, { store, clock });
  await first.followed().transact(tenant('a'));
  await first.close();
  expect(await store.read(storedNumbers)).toEqual([['tenants', 1]]);
  expect(await store.read(findState)).toEqual({ end: null });

  const second = await openFollowed(Tally, { store, clock });
  expect(await tenantsOf(second)).toBe(1);
  await second.close();
  expect(await store.read(findState)).toEqual({ end: null });

  const third = await openFollowed(Tally, { store, clock });
  await expect(third.followed().transact(() => Promise.resolve())).rejects.toThrow(TypeError);
  expect(await store.read(findState)).toEqual({ end: null });
  await third.followed().transact(tenant('b'));
  expect(await store.read(findState)).toBeUndefined();
  expect(await tenantsOf(third)).toBe(2);

  const afterKill = await openFollowed(Tally, { store, clock });
  expect(await tenantsOf(afterKill)).toBe(2);
});

test('a change after closing is counted at the next opening', async () => {
  const store = inMemoryStore();
  const tally = await openFollowed(Tally, { store, clock });
  await tally.followed().transact(tenant('a'));
  await tally.close();
  await tally.followed().transact(tenant('b'));
  expect(await store.read(findState)).toBeUndefined();
  expect(await tenantsOf(await openFollowed(Tally, { store, clock }))).toBe(2);
});

test('a change that is running at closing is included in the stored numbers', async () => {
  const store = inMemoryStore();
  const tally = await openFollowed(Tally, { store, clock });
  const pending = tally.followed().transact(tenant('a'));
  await tally.close();
  await pending;
  expect(await store.read(storedNumbers)).toEqual([['tenants', 1]]);
});

test('a large store is counted during changes on both sides of the count', async () => {
  const inner = await filledStore(100);
  const tally = await openFollowed(Tally, { store: inner, clock, sliceEntries: 10 });
  const store = tally.followed();
  const remove = (tenantId: string) =>
    store.transact((tx) => {
      const key = Buffer.from([0, families.get('tenants').number, ...Buffer.from(tenantId), 0]);
      noteChange(tx, 'tenants', -1, key);
      tx.remove(key);
    });
  expect(await inner.read(findState)).toMatchObject({ end: expect.any(Uint8Array) as Uint8Array });
  await Promise.all([store.transact(tenant('a')), store.transact(tenant('z')), remove('t0')]);
  const counted = tally.entries();
  await Promise.all([store.transact(tenant('aa')), store.transact(tenant('zz')), remove('t99')]);
  await counted;
  expect(await tenantsOf(tally)).toBe(102);
  expect(await inner.read(findState)).toBeUndefined();
});

test('an interrupted count continues from its position', async () => {
  const inner = await filledStore(100);
  const first = await openFollowed(Tally, { store: inner, clock, sliceEntries: 10 });
  await first.followed().transact(tenant('a'));
  await first.close();
  const state = await inner.read(findState);
  expect(state?.end).toBeInstanceOf(Uint8Array);
  await expect(first.entries()).rejects.toMatchObject({ code: 'store_closed' });

  const second = await openFollowed(Tally, { store: inner, clock, sliceEntries: 10 });
  await second.followed().transact(tenant('aa'));
  expect(await tenantsOf(second)).toBe(102);
});

test('a failed count is continued by the next request', async () => {
  const inner = await filledStore(100);
  let isFailing = false;
  const moody = storeOver(inner, {
    transact: (body) =>
      isFailing ? Promise.reject(new Error('disk')) : inner.transact((tx) => body(tx)),
  });
  const opening = openFollowed(Tally, { store: moody, clock, sliceEntries: 10 });
  const tally = await opening;
  isFailing = true;
  await expect(tally.entries()).rejects.toThrow('disk');
  isFailing = false;
  expect(await tenantsOf(tally)).toBe(100);
});

test('sessions count until they end', async () => {
  const store = inMemoryStore();
  const tally = await openFollowed(Tally, { store, clock });
  const begin = (endsAtMillis: number, by = 1) =>
    tally.followed().transact((tx) => {
      noteChange(tx, sessionCounter(endsAtMillis), by, Buffer.from([0, 19]));
    });
  const nowMs = clock.now();
  await begin(nowMs + 1_000);
  await begin(nowMs + 1_000);
  await begin(nowMs + 60_000);
  expect((await tally.entries()).sessions).toBe(3);
  await begin(nowMs + 1_000, -1);
  expect((await tally.entries()).sessions).toBe(2);
  clock.advance(999);
  expect((await tally.entries()).sessions).toBe(2);
  clock.advance(1);
  expect((await tally.entries()).sessions).toBe(1);
  await begin(nowMs + 1_000, -1);
  expect((await tally.entries()).sessions).toBe(1);
  await tally.close();
  const names = (await store.read(storedNumbers)).map(([name]) => name);
  expect(names).toEqual([sessionCounter(nowMs + 60_000)]);
  clock.advance(60_000);
  expect((await (await openFollowed(Tally, { store, clock })).entries()).sessions).toBe(0);
});
