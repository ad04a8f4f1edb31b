/** Counts of new quotas end, on any server (docs/contract/quotas.md#quo-13). */
import { eventually } from '@agentkeep/testkit/eventually';
import { expect, test } from 'vitest';
import { families } from '../../domains.js';
import { sharedMemory } from '../../storage/in-memory-store/in-memory-store.js';
import { encodeKey } from '../../storage/store/key.js';
import type { Store, Transactions } from '../../storage/store/store.js';
import { firstKeyOf } from './count-use.js';
import { meteredStore } from '../../../test/quota-kit.js';
import { findQuota, putQuota } from '../stored/quota-store.js';
import { UseCounter } from './use-counter.js';

const ENTRIES = 50;
const sliceEntries = 8;
const keyOf = (number: number) => encodeKey('acme', 6, ['integer'], [number]);

/** Returns a store with a tenant whose quota is not counted yet. */
async function uncounted() {
  const memory = sharedMemory();
  const store = memory.open();
  await store.transact((tx) => {
    for (let number = 0; number < ENTRIES; number += 1) tx.put(keyOf(number), Buffer.from('v'));
    const counted = { entries: 0, bytes: 0, countedTo: firstKeyOf('acme'), revision: 2 };
    putQuota(tx, { tenantId: 'acme', maxEntries: 1_000, maxBytes: null, ...counted });
  });
  return { memory, store };
}

const stored = (store: Store) => store.read((tx) => findQuota(tx, 'acme'));

/** A store that fails after a number of transactions, as that of a killed process. */
function mortal(store: Store, transactions: number): Transactions {
  let left = transactions;
  return {
    isShared: true,
    read: (body) => store.read(body),
    transact: (body) => (left-- > 0 ? store.transact(body) : Promise.reject(new Error('dead'))),
  };
}

async function expectCounted(store: Store, entries: number): Promise<void> {
  await eventually(async () => {
    expect(await stored(store)).toMatchObject({ entries, countedTo: null });
  });
}

test('a count that a killed server left goes on at the next start', async () => {
  const { memory, store } = await uncounted();
  const killed = new UseCounter({ store: mortal(store, 2), families, sliceEntries });
  killed.start();
  await eventually(async () => {
    expect(await stored(store)).toMatchObject({ entries: 2 * sliceEntries });
  });
  await killed.stop();
  const next = new UseCounter({ store: memory.open(), families, sliceEntries });
  next.start();
  await expectCounted(store, ENTRIES);
  await next.stop();
});

test('a count that failed goes on with the next write of its tenant', async () => {
  const { store } = await uncounted();
  const counter = new UseCounter({ store, families, sliceEntries });
  const metered = meteredStore(store, (tenantId) => {
    counter.wake(tenantId);
  });
  await metered.transact((tx) => {
    tx.put(keyOf(ENTRIES), Buffer.from('v'));
  });
  await expectCounted(store, ENTRIES + 1);
  await counter.stop();
});

test('two servers count the same tenant at once, while it writes', async () => {
  const { memory, store } = await uncounted();
  const counters = [1, 2].map(
    () => new UseCounter({ store: memory.open(), families, sliceEntries }),
  );
  for (const counter of counters) counter.start();
  const metered = meteredStore(store, () => undefined);
  for (let number = 0; number < ENTRIES; number += 1) {
    await metered.transact((tx) => {
      if (number % 2 === 0) tx.remove(keyOf(number));
      else tx.put(keyOf(number + ENTRIES), Buffer.from('longer'));
    });
  }
  await expectCounted(store, ENTRIES);
  const { bytes } = (await stored(store)) ?? { bytes: 0 };
  let walked = 0;
  await store.scan(({ key, value }) => {
    if (key[0] !== 0) walked += key.length + value.length;
  });
  expect(bytes).toBe(walked);
  for (const counter of counters) await counter.stop();
});

test('a stopped counter leaves the rest for later', async () => {
  const { store } = await uncounted();
  const counter = new UseCounter({ store, families, sliceEntries });
  await counter.stop();
  counter.wake('acme');
  counter.start();
  await counter.stop();
  expect(await stored(store)).toMatchObject({ entries: 0 });
});
