/**
 * In random histories of writes, quotas, counts and kills over two servers, the stored use of every
 * tenant is what a fresh count finds, and no bounded write goes beyond a quota.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { families } from '../../domains.js';
import { keepWithinQuota } from '../../kernel/counts/counts.js';
import { sharedMemory } from '../../storage/in-memory-store/in-memory-store.js';
import { afterTenant, encodeKey } from '../../storage/store/key.js';
import { speculative } from '../../storage/store-testing/speculative-store.js';
import type { Store, Transactions } from '../../storage/store/store.js';
import { countNext, firstKeyOf } from './count-use.js';
import { meteredStore } from '../../../test/quota-kit.js';
import { exceedsQuota, type StorageUse } from './quota-policy.js';
import { findQuota, putQuota, removeQuota } from '../stored/quota-store.js';

const RUNS = 300;
/** Texts with escaped bytes, and one that begins with another. */
const TENANTS = ['a', 'ab', '\0', 'z'];
/** Subspaces of several keys, the first and the last one. */
const SUBSPACES = [1, 6, 10, 62];
const SLICE = 3;

const tenant = fc.constantFrom(...TENANTS);
const key = fc.tuple(tenant, fc.constantFrom(...SUBSPACES), fc.nat(5));
const write = fc.record({ key, bytes: fc.option(fc.nat(40)) });
const limit = fc.option(fc.nat(300), { freq: 2 });
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      type: fc.constant('write'),
      writes: fc.array(write, { minLength: 1, maxLength: 6 }),
      isBounded: fc.boolean(),
      fails: fc.boolean(),
      server: fc.nat(1),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('set'),
      tenant,
      maxEntries: fc.option(fc.nat(8)),
      maxBytes: limit,
    }),
  },
  { weight: 4, arbitrary: fc.record({ type: fc.constant('count'), tenant, server: fc.nat(1) }) },
  fc.record({ type: fc.constant('remove'), tenant }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
type WriteStep = Extract<Step, { type: 'write' }>;

/** Counts without slices and subspaces. */
const whole = (store: Transactions, tenantId: string): Promise<StorageUse> =>
  store.read((tx) => {
    const range = { from: firstKeyOf(tenantId), to: afterTenant(tenantId) };
    const sizes = Array.from(tx.range(range), ({ key, value }) => key.length + value.length);
    return { entries: sizes.length, bytes: sizes.reduce((sum, size) => sum + size, 0) };
  });

async function runWrite(server: Transactions, { writes, isBounded, fails }: WriteStep) {
  await server.transact((tx) => {
    if (isBounded) keepWithinQuota(tx);
    for (const {
      key: [tenantId, subspace, number],
      bytes,
    } of writes) {
      const place = encodeKey(tenantId, subspace, ['integer'], [number]);
      if (bytes === null) tx.remove(place);
      else tx.put(place, Buffer.alloc(bytes, 1));
    }
    if (fails) throw new Error('no');
  });
}

/** Runs a write, and says whether its outcome is the one that the quotas ask for. */
async function checkWrite(store: Store, server: Transactions, made: WriteStep): Promise<string> {
  const before = await Promise.all(TENANTS.map((id) => whole(store, id)));
  const outcome = await runWrite(server, made).then(
    () => 'done',
    (error: unknown) => (error as { code?: string }).code ?? 'failed',
  );
  for (const [index, id] of TENANTS.entries()) {
    const was = before[index] ?? { entries: 0, bytes: 0 };
    const is = await whole(store, id);
    if (outcome !== 'done') expect(is).toEqual(was);
    const quota = await store.read((tx) => findQuota(tx, id));
    const added = { entries: is.entries - was.entries, bytes: is.bytes - was.bytes };
    if (quota?.countedTo === null && made.isBounded)
      expect(exceedsQuota(quota, was, added)).toBe(false);
  }
  if (outcome === 'quota_exceeded') expect(made.isBounded).toBe(true);
  return outcome;
}

async function expectExact(store: Store): Promise<void> {
  for (const id of TENANTS) {
    const quota = await store.read((tx) => findQuota(tx, id));
    if (quota?.countedTo !== null) continue;
    const { entries, bytes } = quota;
    expect({ entries, bytes }).toEqual(await whole(store, id));
  }
}

async function apply(store: Store, servers: readonly Transactions[], made: Step): Promise<string> {
  switch (made.type) {
    case 'write':
      return checkWrite(store, servers[made.server]!, made);
    case 'set': {
      const { type, tenant: tenantId, ...limits } = made;
      await store.transact((tx) => {
        const uncounted = { tenantId, entries: 0, bytes: 0, countedTo: firstKeyOf(tenantId) };
        const before = findQuota(tx, tenantId) ?? uncounted;
        putQuota(tx, { ...before, ...limits, revision: 2 });
      });
      return type;
    }
    case 'count':
      await store.transact((tx) => countNext(tx, families, made.tenant, SLICE));
      return made.type;
    case 'remove':
      await store.transact((tx) => {
        removeQuota(tx, made.tenant);
      });
      return made.type;
  }
}

test('the use of a tenant is what a fresh count finds', async () => {
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40, size: 'max' }), async (history) => {
      const memory = sharedMemory();
      const store = memory.open();
      const servers = [memory.open(), speculative(memory.open())].map((each) =>
        meteredStore(each, () => undefined),
      );
      for (const made of history) {
        seen.add(await apply(store, servers, made));
        await expectExact(store);
      }
      for (const id of TENANTS) {
        while (await store.transact((tx) => countNext(tx, families, id, SLICE)));
      }
      await expectExact(store);
    }),
    { numRuns: RUNS },
  );
  expect([...seen]).toEqual(expect.arrayContaining(['done', 'failed', 'quota_exceeded']));
});

test('a tenant without a quota costs one look-up and nothing else', async () => {
  const memory = sharedMemory();
  const inner = memory.open();
  let reads = 0;
  const counting: Transactions = {
    isShared: true,
    read: (body) => inner.read(body),
    transact: (body) =>
      inner.transact((tx) => {
        reads = 0;
        return body({
          notes: tx.notes,
          get: (at) => {
            reads += 1;
            return tx.get(at);
          },
          range: (range) => tx.range(range),
          put: (at, value) => {
            tx.put(at, value);
          },
          remove: (at) => {
            tx.remove(at);
          },
          append: (prefix, value) => {
            tx.append(prefix, value);
          },
        });
      }),
  };
  const metered = meteredStore(counting, () => undefined);
  await metered.transact((tx) => {
    for (let number = 0; number < 20; number++) {
      tx.put(encodeKey('a', 6, ['integer'], [number]), Buffer.from('value'));
      tx.put(encodeKey('', 1, ['integer'], [number]), Buffer.from('value'));
    }
  });
  expect(reads).toBe(1);
  expect((await inner.stats()).entries).toBe(40);
});
