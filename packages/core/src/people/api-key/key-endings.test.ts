/** All keys of an account end with the commit that decides it, however many there are. */
import { beforeEach, describe, expect, test } from 'vitest';
import { eventsOf, type Logins, makeTenant, openLogins } from '../../../test/login-kit.js';
import { findAccount } from '../account/account-store.js';
import { storeNewAccount } from '../account/new-account.js';
import { apiKeySubspaces, insertApiKey, listApiKeysOf } from './api-key-store.js';
import { KeyEndingSweeper } from './key-ending-sweeper.js';
import { endApiKeys, hasEnded, KEYS_REMOVED_AT_ONCE, nextEnding } from './key-endings.js';

const by = {
  endedAtMillis: 1_000,
  userId: '01934f2a-7c1b-7000-8000-000000000001',
  username: 'root',
  ipAddress: '192.0.2.1',
  userAgent: null,
  metadata: { principal: 'account' },
};

let logins: Logins;

beforeEach(async () => {
  logins = openLogins();
  await makeTenant(logins, 'acme');
});

/** Makes an account with keys, as a store of an earlier version may hold. Returns its id. */
async function ownerOf(username: string, keys: number): Promise<string> {
  const { store, newId } = logins;
  const id = newId();
  await store.transact((tx) => {
    const members = { authority: 'acme', email: null, roles: [], credentialId: null, nowMs: 1 };
    storeNewAccount(tx, { ...members, id, username, passwordHash: 'hash' });
  });
  await addKeys(id, keys);
  return id;
}

function addKeys(accountId: string, count: number): Promise<void> {
  const ids = Array.from({ length: count }, logins.newId);
  return logins.store.transact((tx) => {
    for (const id of ids) {
      insertApiKey(tx, {
        authority: 'acme',
        accountId,
        id,
        name: 'ci',
        prefix: 'ak_live_Ab3x',
        digest: new Uint8Array(Buffer.from(id.repeat(2).replaceAll('-', ''), 'hex')),
        createdAtMillis: 1,
        expiresAtMillis: null,
        lastUsedMillis: null,
      });
    }
  });
}

const end = (id: string): Promise<string[]> =>
  logins.store.transact((tx) => endApiKeys(tx, accountIn(tx, id), by));

function accountIn(tx: Parameters<typeof findAccount>[0], id: string) {
  const account = findAccount(tx, 'acme', id);
  if (account === undefined) throw new Error('The account is gone.');
  return account;
}

const hasPending = (): Promise<boolean> =>
  logins.store.read((tx) => nextEnding(tx, undefined) !== undefined);

/** Returns the ids of all stored keys, oldest first, and whether each has ended. */
const keysOf = (id: string) =>
  logins.store.read((tx) => {
    const account = accountIn(tx, id);
    const stored = listApiKeysOf(
      tx,
      { authority: 'acme', accountId: id },
      { after: undefined, limit: 9_999 },
    );
    return stored.map((key) => ({ id: key.id, isOver: hasEnded(account, key) })).reverse();
  });

const revoked = async (): Promise<string[]> =>
  (await eventsOf(logins, 'acme'))
    .filter(({ event_type }) => event_type === 'api_key_revoked')
    .map(({ resource }) => resource);

describe('an account with as many keys as it can have', () => {
  test('USR-52 loses them in one transaction', async () => {
    const ann = await ownerOf('ann', KEYS_REMOVED_AT_ONCE);
    const ids = (await keysOf(ann)).map(({ id }) => id);
    expect(await end(ann)).toEqual(ids);
    expect(await keysOf(ann)).toEqual([]);
    expect(await hasPending()).toBe(false);
    expect(await end(ann)).toEqual([]);
  });
});

describe('an account with more keys', () => {
  test('USR-52 loses them in slices, and none works in between', async () => {
    const ann = await ownerOf('ann', 3 * KEYS_REMOVED_AT_ONCE + 1);
    const bob = await ownerOf('bob', 1);
    const ids = (await keysOf(ann)).map(({ id }) => id);
    expect(await end(ann)).toEqual(ids.slice(0, KEYS_REMOVED_AT_ONCE));
    const left = await keysOf(ann);
    expect(left).toHaveLength(2 * KEYS_REMOVED_AT_ONCE + 1);
    expect(left.every(({ isOver }) => isOver)).toBe(true);
    await addKeys(ann, 1);

    await new KeyEndingSweeper(logins).sweep();
    expect(await hasPending()).toBe(false);
    expect(await keysOf(ann)).toEqual([{ id: expect.any(String) as string, isOver: false }]);
    expect(await keysOf(bob)).toMatchObject([{ isOver: false }]);
    // The caller records the events of the first slice.
    expect((await revoked()).sort()).toEqual(
      ids.slice(KEYS_REMOVED_AT_ONCE).map((id) => `api_key:${id}`),
    );
    const [event] = await eventsOf(logins, 'acme');
    expect(event).toMatchObject({
      timestamp: '1970-01-01T00:00:01.000Z',
      user_id: by.userId,
      username: 'root',
      ip_address: '192.0.2.1',
      metadata: { principal: 'account' },
    });
  });

  test('USR-52 loses them also after a stop in the middle', async () => {
    const ann = await ownerOf('ann', 4 * KEYS_REMOVED_AT_ONCE);
    await end(ann);
    let left = 2;
    const store: Logins['store'] = Object.create(logins.store, {
      transact: {
        value: (body: never) => {
          left -= 1;
          return left < 0 ? Promise.reject(new Error('killed')) : logins.store.transact(body);
        },
      },
    }) as Logins['store'];
    await expect(new KeyEndingSweeper({ ...logins, store }).sweep()).rejects.toThrow('killed');
    expect(await keysOf(ann)).toHaveLength(KEYS_REMOVED_AT_ONCE);
    expect(await hasPending()).toBe(true);
    await new KeyEndingSweeper(logins).sweep();
    expect(await keysOf(ann)).toEqual([]);
    expect(await hasPending()).toBe(false);
    expect(new Set(await revoked()).size).toBe(3 * KEYS_REMOVED_AT_ONCE);
  });

  test('loses them although a key of another account is damaged', async () => {
    const [ann, bob] = [await ownerOf('ann', 129), await ownerOf('bob', 129)];
    const [first] = (await keysOf(ann)).slice(-1);
    await end(ann);
    await end(bob);
    await logins.store.transact((tx) => {
      tx.put(apiKeySubspaces.apiKeys.keyOf('acme', ann, first?.id ?? ''), Buffer.from('damaged'));
    });
    const damaged = { code: 'storage_inconsistency' };
    await expect(new KeyEndingSweeper(logins).sweep()).rejects.toMatchObject(damaged);
    expect(await keysOf(bob)).toEqual([]);
    expect(await hasPending()).toBe(true);
  });
});
