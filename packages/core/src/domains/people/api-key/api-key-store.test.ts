/** API keys in the store: isolation, pages, use and removal. */
import { beforeEach, expect, test } from 'vitest';
import { INSTALLATION } from '../../../storage/store/key.js';
import type { Store } from '../../../storage/store/store.js';
import {
  type ApiKeyOwner,
  findApiKey,
  insertApiKey,
  listApiKeysOf,
  locateApiKey,
  removeApiKey,
  removeApiKeysOf,
  storeApiKeyUse,
  type StoredApiKey,
  apiKeys,
} from './api-key-store.js';
import { testStore } from '@agentkeep/testkit/test-store';

const uuid = (last: number): string => `01934f2a-7c1b-7000-8000-0000000000${50 + last}`;
const global: ApiKeyOwner = { authority: INSTALLATION, accountId: uuid(1) };
const tenant: ApiKeyOwner = { authority: 't', accountId: uuid(1) };
const neighbour: ApiKeyOwner = { authority: 't', accountId: uuid(2) };

const keyOf = (owner: ApiKeyOwner, number: number): StoredApiKey => ({
  ...owner,
  id: uuid(number),
  name: `key ${number}`,
  prefix: 'ak_live_Ab3x',
  digest: new Uint8Array(32).fill(number),
  createdAtMillis: number,
  expiresAtMillis: number % 2 === 0 ? null : 1_000,
  lastUsedMillis: null,
});

const all = [keyOf(tenant, 10), keyOf(tenant, 11), keyOf(tenant, 12), keyOf(neighbour, 13)];
const foreign = keyOf(global, 14);

let store: Store;
beforeEach(async () => {
  store = testStore();
  await store.transact((tx) => {
    for (const key of [...all, foreign]) insertApiKey(tx, key);
  });
});

const idsOf = (owner: ApiKeyOwner, after?: string, limit = 10): Promise<string[]> =>
  store.read((tx) => listApiKeysOf(tx, owner, { after, limit }).map(({ id }) => id));

const entries = async (): Promise<number> => (await store.stats()).entries;

test('a stored key is found by its digest and by its id', async () => {
  await store.read((tx) => {
    for (const key of [...all, foreign]) {
      expect(locateApiKey(tx, key.digest)).toEqual(key);
      expect(findApiKey(tx, key, key.id)).toEqual(key);
    }
    expect(locateApiKey(tx, Buffer.alloc(32, 99))).toBeUndefined();
    expect(findApiKey(tx, tenant, foreign.id)).toBeUndefined();
    expect(findApiKey(tx, neighbour, uuid(10))).toBeUndefined();
  });
});

test('a list has the keys of one account, newest first, and continues after an id', async () => {
  expect(await idsOf(tenant)).toEqual([uuid(12), uuid(11), uuid(10)]);
  expect(await idsOf(tenant, undefined, 2)).toEqual([uuid(12), uuid(11)]);
  expect(await idsOf(tenant, uuid(11))).toEqual([uuid(10)]);
  expect(await idsOf(tenant, uuid(10))).toEqual([]);
  expect(await idsOf(neighbour)).toEqual([uuid(13)]);
  expect(await idsOf(global)).toEqual([uuid(14)]);
  expect(await idsOf({ authority: 'other', accountId: uuid(1) })).toEqual([]);
});

test('a removed key is not found and leaves no rows', async () => {
  const [key = foreign] = all;
  const before = await entries();
  await store.transact((tx) => {
    removeApiKey(tx, key);
  });
  expect(await entries()).toBe(before - 2);
  expect(await idsOf(tenant)).toEqual([uuid(12), uuid(11)]);
  expect(await store.read((tx) => locateApiKey(tx, key.digest))).toBeUndefined();
});

test('all keys of an account are removed', async () => {
  const remove = () => store.transact((tx) => removeApiKeysOf(tx, tenant));
  expect(await remove()).toEqual([uuid(10), uuid(11), uuid(12)]);
  expect([await idsOf(tenant), await idsOf(neighbour)]).toEqual([[], [uuid(13)]]);
  expect(await entries()).toBe(4);
  expect(await remove()).toEqual([]);
});

test('a use is stored with its key and never restores a removed key', async () => {
  await store.transact((tx) => {
    storeApiKeyUse(tx, tenant, uuid(10), 77);
    storeApiKeyUse(tx, tenant, uuid(14), 77);
  });
  const used = await store.read((tx) => locateApiKey(tx, Buffer.alloc(32, 10)));
  expect(used).toEqual({ ...keyOf(tenant, 10), lastUsedMillis: 77 });
  expect(await entries()).toBe(10);
  expect(await idsOf(tenant)).toHaveLength(3);
});

test('a digest without its key is a storage inconsistency', async () => {
  const [key = foreign] = all;
  await store.transact((tx) => {
    tx.remove(apiKeys.keyOf(key.authority, key.accountId, key.id));
  });
  const located = store.read((tx) => locateApiKey(tx, key.digest));
  await expect(located).rejects.toMatchObject({ code: 'storage_inconsistency' });
});
