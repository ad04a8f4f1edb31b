/**
 * The end of an account with hundreds of API keys (OWASP API4:2023), which an earlier version let
 * it make: the transaction that decides touches few entries, no key works after it, and the keys go
 * in later transactions.
 */
import type { Entry, Store } from '@agentkeep/core';
import { createAdmin } from '@agentkeep/core/operator';
import { eventually } from '@agentkeep/testkit/eventually';
import { expect, test } from 'vitest';
import { outcome, refused, result } from '@agentkeep/contract-cases/answer';
import { drivers } from '@agentkeep/contract-cases/drivers';
import { tenant } from '@agentkeep/contract-cases/fixture';
import { PASSWORD, Party } from '@agentkeep/contract-cases/user-fixture';
import { countingStore } from './counting-store.js';

const KEYS = 700;
/** Fewer than an account may have. */
const KEYS_AT_ONCE = 50;
/** Entries that one transaction may touch: 64 keys with their events leave room below it. */
const BODY_ENTRIES_MAX = 1_000;

/** The range of the API keys of a tenant, by the number of their subspace. */
const range = { from: Buffer.from('acme\0\x17'), to: Buffer.from('acme\0\x18') };

const keysIn = (store: Store): Promise<Entry[]> =>
  store.read((tx) =>
    Array.from(tx.range(range), ({ key, value }) => ({
      key: Uint8Array.from(key),
      value: Uint8Array.from(value),
    })),
  );

/** Makes keys for an account as if their number were not bounded. Returns the last of them. */
async function makeKeys(store: Store, person: Party): Promise<string> {
  const made: Entry[] = [];
  let last = '';
  while (made.length < KEYS) {
    for (let left = KEYS_AT_ONCE; left > 0; left -= 1) {
      last = result(await person.call('createApiKey', { document: { name: 'k' } })).key;
    }
    const taken = await keysIn(store);
    await store.transact((tx) => {
      for (const { key } of taken) tx.remove(key);
    });
    made.push(...taken);
  }
  await store.transact((tx) => {
    for (const { key, value } of made) tx.put(key, value);
  });
  return last;
}

test('is one short transaction, and its keys go in slices', async () => {
  const { store, uncounted, taken } = countingStore();
  await using t = await tenant(drivers[1]!, store);
  for (const username of ['chief', 'ann']) {
    await createAdmin(t.keep, { username, password: PASSWORD, tenantId: 'acme' });
  }
  const login = async (username: string): Promise<Party> => {
    const document = { username, password: PASSWORD, tenant_id: 'acme' };
    const { access_token, user_id } = result(
      await t.transport('authLogin', undefined, { document }),
    );
    return new Party(t.transport, access_token, user_id);
  };
  const [chief, ann] = [await login('chief'), await login('ann')];
  const key = await makeKeys(uncounted, ann);
  const withKey = new Party(t.transport, key, ann.id);
  expect(await withKey.outcome('getUser', { id: ann.id })).toBe('200');
  expect(await keysIn(uncounted)).toHaveLength(KEYS);

  taken();
  expect(outcome(await chief.delete(ann.id))).toBe('200');
  expect(await withKey.outcome('getUser', { id: ann.id })).toBe(refused.unauthorized);
  await eventually(async () => {
    expect(await keysIn(uncounted)).toHaveLength(0);
  });
  const { writes, largestWrite } = taken();
  expect(largestWrite).toBeLessThan(BODY_ENTRIES_MAX);
  expect(writes).toBeGreaterThan(KEYS / 64);
});
