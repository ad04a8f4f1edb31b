/** What an API key proves while its owner, the owner's credential and the time change. */
import { useLog } from '../../../kernel/services/use-log.js';
import { beforeEach, expect, test } from 'vitest';
import {
  type CallerProof,
  HeldProof,
  type Principal,
  readWithEffects,
} from '../../../kernel/access/principal.js';
import { findAccount, updateAccount } from '../account/account-store.js';
import type { StoredAccount } from '../account/stored-account.js';
import { type Keep, runtimeOf } from '../../../keep/keep.js';
import { openKeep } from '../../../keep/open-keep.js';
import { createAdmin } from '../../../operator.js';
import type { Runtime } from '../../../kernel/services/runtime.js';
import { INSTALLATION } from '../../../storage/store/key.js';
import type { WriteTx } from '../../../storage/store/store.js';
import { ManualClock } from '../../../testing/manual-clock.js';
import { quickPasswords } from '../../../testing/quick-passwords.js';
import { apiKeyIdOf } from './authenticate-api-key.js';
import {
  findApiKey,
  insertApiKey,
  removeApiKey,
  type StoredApiKey,
  storeApiKeyUse,
  apiKeys,
} from './api-key-store.js';
import { digestOfApiKey, newApiKey, prefixOfApiKey } from './api-key-text.js';
import { testStore } from '@agentkeep/testkit/test-store';

let clock: ManualClock;
let keep: Keep;
let runtime: Runtime;
let accountId: string;
let text: string;
let key: StoredApiKey;

beforeEach(async () => {
  clock = new ManualClock(1_000);
  keep = await openKeep({ store: testStore(), clock, passwords: quickPasswords });
  runtime = runtimeOf(keep);
  ({ id: accountId } = await createAdmin(keep, { username: 'ann', password: 'Correct-Horse-7' }));
  text = newApiKey(runtime.entropy);
  key = {
    authority: INSTALLATION,
    accountId,
    id: runtime.newId(),
    name: 'ci',
    prefix: prefixOfApiKey(text),
    digest: digestOfApiKey(text),
    createdAtMillis: 1_000,
    expiresAtMillis: 900_000,
    lastUsedMillis: null,
  };
  await runtime.store.transact((tx) => {
    insertApiKey(tx, key);
  });
  return () => keep.close();
});

const prove = async (proof: CallerProof): Promise<Principal | undefined> =>
  readWithEffects(runtime.store, (tx, effects) =>
    runtime.authenticate(tx, proof, clock.now(), effects),
  );

const proveText = (shown = text): Promise<Principal | undefined> =>
  prove({ kind: 'api_key', key: shown });

const held = (): HeldProof =>
  new HeldProof({ kind: 'api_key', authority: INSTALLATION, accountId, keyId: key.id });

async function change(members: Partial<StoredAccount>): Promise<void> {
  await runtime.store.transact((tx) => {
    const before = findAccount(tx, INSTALLATION, accountId);
    if (before === undefined) throw new Error('The account is gone.');
    const revision = before.revision + 1;
    const event = { revision, action: 'login_account_disabled', at_millis: 1 } as const;
    const after = { ...before, ...members, revision };
    updateAccount(tx, before, after, { ...event, actor_id: accountId });
  });
}

test('a key authenticates its owner with the current roles', async () => {
  const expected = {
    kind: 'account',
    authority: { kind: 'global' },
    id: accountId,
    username: 'ann',
    credential: null,
    global: null,
    role: 'SuperAdmin',
    presence: { kind: 'api_key', keyId: key.id },
    held: held(),
  };
  expect(await proveText()).toEqual(expected);
  expect(await prove(held())).toEqual(expected);
  await change({ roles: ['Read'] });
  expect(await proveText()).toEqual({ ...expected, role: null });
});

test.each([
  ['is inactive', { isActive: false }],
  ['is disabled', { disabledAtMillis: 1 }],
  ['is deleted', { isActive: true, disabledAtMillis: 1, deletedAtMillis: 1 }],
])('a key is refused while its owner %s', async (_state, members) => {
  await change(members);
  expect([await proveText(), await prove(held())]).toEqual([undefined, undefined]);
  await change({ isActive: true, disabledAtMillis: null, deletedAtMillis: null });
  expect(await proveText()).toMatchObject({ id: accountId });
});

test('an expired or removed key is refused', async () => {
  clock.stepTo(899_999);
  expect(await proveText()).toMatchObject({ id: accountId });
  clock.stepTo(900_000);
  expect([await proveText(), await prove(held())]).toEqual([undefined, undefined]);
  clock.stepTo(1_000);
  await runtime.store.transact((tx) => {
    removeApiKey(tx, key);
  });
  expect([await proveText(), await prove(held())]).toEqual([undefined, undefined]);
});

test('a mistyped key is refused without a look-up, an unknown key with one', async () => {
  const untouchable = {
    get: () => {
      throw new Error('looked up');
    },
    range: () => [],
  };
  const mistyped = text.slice(0, 20) + (text.charAt(20) === 'a' ? 'b' : 'a') + text.slice(21);
  for (const shown of [mistyped, '', 'ak_live_', `${text} `, text.toLowerCase()]) {
    const proof = { kind: 'api_key', key: shown } as const;
    expect(runtime.authenticate(untouchable, proof, 1_000)).toBeUndefined();
    expect(apiKeyIdOf(untouchable, shown)).toBeUndefined();
  }
  expect(await proveText(newApiKey(runtime.entropy))).toBeUndefined();
  expect(await prove({ kind: 'bearer', token: text })).toBeUndefined();
});

test('the id of a stored key is found by its text, even when the key is dead', async () => {
  clock.stepTo(900_000);
  expect(await runtime.store.read((tx) => apiKeyIdOf(tx, text))).toBe(key.id);
  const unknown = newApiKey(runtime.entropy);
  expect(await runtime.store.read((tx) => apiKeyIdOf(tx, unknown))).toBeUndefined();
});

test('CON-93 a key that does not verify is an internal error that reveals nothing', async () => {
  await runtime.store.transact((tx) => {
    tx.remove(apiKeys.keyOf(INSTALLATION, accountId, key.id));
  });
  await expect(proveText()).rejects.toMatchObject({ code: 'internal_error' });
});

test('accepted proofs count as uses, stored once a minute; refused proofs do not', async () => {
  const lastUsed = async (): Promise<number | null | undefined> => {
    await useLog.of(runtime).flush();
    return runtime.store.read((tx) => findApiKey(tx, key, key.id)?.lastUsedMillis);
  };
  await change({ isActive: false });
  await proveText();
  expect(await lastUsed()).toBeNull();
  await change({ isActive: true });
  for (const [atMs, used] of [
    [2_000, 2_000],
    [61_999, 2_000],
    [62_000, 62_000],
    [900_000, 62_000],
  ] as const) {
    clock.stepTo(atMs);
    await (atMs === 2_000 ? proveText() : prove(held()));
    expect(await lastUsed()).toBe(used);
  }
});

test('pending uses are stored before a keep closes', async () => {
  const store = testStore();
  // What is stored in memory would be gone with the store.
  store.close = () => Promise.resolve();
  const other = await openKeep({ store, clock });
  await store.transact((tx) => {
    insertApiKey(tx, key);
  });
  const use = (tx: WriteTx): void => {
    storeApiKeyUse(tx, key, key.id, 7);
  };
  useLog.of(runtimeOf(other)).note({ name: 'any', storedMs: null, store: use }, 7);
  await other.close();
  expect(await store.read((tx) => findApiKey(tx, key, key.id)?.lastUsedMillis)).toBe(7);
});
