/** Remembered holders of quotas change no outcome: every write is measured as with a look-up. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { families } from '../../domains.js';
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import { keepWithinQuota } from '../../kernel/counts/counts.js';
import { inMemoryStore, sharedMemory } from '../../storage/in-memory-store/in-memory-store.js';
import { encodeKey } from '../../storage/store/key.js';
import type { Store, Transactions } from '../../storage/store/store.js';
import { speculative } from '../../storage/store-testing/speculative-store.js';
import { countNext, firstKeyOf } from './count-use.js';
import { meteredStore } from '../../../test/quota-kit.js';
import { QuotaHolders } from './quota-participant.js';
import { findQuota, putQuota, removeQuota } from '../stored/quota-store.js';

// One with the escape byte, and one that begins like another.
const TENANTS = ['a', 'ab', 'b\u0001'];

const tenant = fc.constantFrom(...TENANTS);
const step = fc.oneof(
  fc.record({ type: fc.constant('put' as const), tenant, at: fc.nat(5), fails: fc.boolean() }),
  fc.record({ type: fc.constant('set' as const), tenant, max: fc.nat(4), fails: fc.boolean() }),
  fc.record({ type: fc.constant('remove' as const), tenant, fails: fc.boolean() }),
  fc.record({ type: fc.constant('count' as const), tenant, fails: fc.constant(false) }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

async function run(store: Transactions, made: Step): Promise<string> {
  try {
    await store.transact((tx) => {
      const { tenant: tenantId } = made;
      if (made.type === 'put') {
        keepWithinQuota(tx);
        tx.put(encodeKey(tenantId, 6, ['integer'], [made.at]), Buffer.from('value'));
      } else if (made.type === 'set') {
        const uncounted = { tenantId, entries: 0, bytes: 0, countedTo: firstKeyOf(tenantId) };
        const limits = { maxEntries: made.max, maxBytes: null, revision: 2 };
        putQuota(tx, { ...(findQuota(tx, tenantId) ?? uncounted), ...limits });
      } else if (made.type === 'remove') {
        removeQuota(tx, tenantId);
      } else {
        countNext(tx, families, tenantId);
      }
      if (made.fails) throw new Error('refused');
    });
    return 'done';
  } catch (error) {
    return error instanceof AgentkeepError ? error.code : String(error);
  }
}

async function entriesOf(store: Store): Promise<string[]> {
  const all: string[] = [];
  await store.scan(({ key, value }) => {
    all.push(`${Buffer.from(key).toString('hex')} ${Buffer.from(value).toString('hex')}`);
  });
  return all;
}

test('holders change no outcome and no use', async () => {
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 4 }),
      fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { maxLength: 8 }),
      async (earlier, batches) => {
        const stores = [inMemoryStore(), inMemoryStore(), speculative(inMemoryStore())];
        // Stored before the holders are read, as by an earlier opening.
        for (const store of stores) for (const made of earlier) await run(store, made);
        const [plain, ...others] = stores as [Store, Store, Store];
        const metered = [meteredStore(plain, () => undefined)];
        for (const other of others) {
          metered.push(meteredStore(other, () => undefined, await QuotaHolders.of(other)));
        }
        for (const batch of batches) {
          const outcomes = await Promise.all(
            metered.map((each) => Promise.all(batch.map((made) => run(each, made)))),
          );
          for (const outcome of outcomes) expect(outcome).toEqual(outcomes[0]);
          for (const outcome of outcomes[0] ?? []) seen.add(outcome);
        }
        const expected = await entriesOf(plain);
        for (const other of others) expect(await entriesOf(other)).toEqual(expected);
      },
    ),
    { numRuns: 300 },
  );
  expect([...seen]).toEqual(expect.arrayContaining(['done', 'quota_exceeded', 'Error: refused']));
});

test('over a store that is shared, every tenant may hold a quota', async () => {
  expect((await QuotaHolders.of(sharedMemory().open())).mayHold('a')).toBe(true);
  expect((await QuotaHolders.of(inMemoryStore())).mayHold('a')).toBe(false);
});
