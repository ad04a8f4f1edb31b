/** Opening a keep repairs missing directory entries (DIR-C55). */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { listAccounts, accountDirectory, accounts } from './account/account-store.js';
import { type Keep, runtimeOf } from '../../keep/keep.js';
import { openKeep } from '../../keep/open-keep.js';
import { openLmdbStore } from '../../storage/lmdb-store/open-lmdb-store.js';
import { bootstrapMaster, bootstrapTenant, createAdmin } from '../../operator.js';
import { operations } from '../../domains.js';
import { embeddedInput } from '../../kernel/input/input.js';
import { INSTALLATION } from '../../storage/store/key.js';
import type { Store } from '../../storage/store/store.js';
import { insertTenant, tenantDirectory, tenants } from '../tenancy/tenant/tenant-store.js';
import { quickPasswords } from '../../testing/quick-passwords.js';
import { repairDirectories } from './repair-directories.js';
import { Servers } from '../../../test/servers.js';
import { testStore } from '@agentkeep/testkit/test-store';

const passwords = quickPasswords;
const password = 'Correct-Horse-7';

/** Removes entries from the directories without the keep's knowledge. */
async function lose(store: Store, keys: readonly Uint8Array[]): Promise<void> {
  await store.transact((tx) => {
    for (const key of keys) tx.remove(key);
  });
}

async function tenantIds(keep: Keep, secret: string): Promise<string[]> {
  const source = embeddedInput({ parameters: { contract_version: 1, limit: 100 } });
  const proof = { kind: 'bearer', token: secret } as const;
  const { page } = await keep.invoke(operations.listTenants, source, { proof });
  return page.items.map(({ tenant_id }) => tenant_id);
}

function usernames(keep: Keep, authority: string): Promise<string[]> {
  const page = { after: undefined, limit: 100 };
  return runtimeOf(keep).store.read((tx) =>
    listAccounts(tx, authority, page).map(({ username }) => username),
  );
}

describe('on disk', () => {
  let dataDir: string;
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'agentkeep-repair-'));
  });
  afterEach(() => rm(dataDir, { recursive: true }));

  test('DIR-C55 a missing entry is repaired at start, and the list is complete', async () => {
    const first = await openKeep({ dataDir, passwords });
    const { secret } = await bootstrapMaster(first, 'root');
    for (const tenantId of ['one', 'two', 'three']) {
      await bootstrapTenant(first, { tenantId, subjectId: 'ops' });
    }
    await createAdmin(first, { username: 'ann', password, role: 'SuperAdmin' });
    await createAdmin(first, { username: 'bob', password, role: 'Admin', tenantId: 'one' });
    await first.close();

    const store = await openLmdbStore({ directory: dataDir });
    await lose(store, [
      tenantDirectory.keyOf(INSTALLATION, '"two"'),
      accountDirectory.keyOf(INSTALLATION, '"ann"'),
      accountDirectory.keyOf('one', '"bob"'),
    ]);
    await store.close();

    await using keep = await openKeep({ dataDir, passwords });
    expect(await tenantIds(keep, secret)).toEqual(['one', 'three', 'two']);
    expect(await usernames(keep, INSTALLATION)).toEqual(['ann']);
    expect(await usernames(keep, 'one')).toEqual(['bob']);
  });
});

describe('in memory', () => {
  test('more than one batch is repaired, and then nothing is left to do', async () => {
    const store = testStore();
    const ids = Array.from({ length: 600 }, (_, index) => `tenant-${index}`);
    await store.transact((tx) => {
      for (const tenantId of ids) {
        insertTenant(tx, {
          tenantId,
          createdAtMillis: 1,
          initialAdminId: '01934f2a-7c1b-7000-8000-000000000001',
          registered: null,
        });
      }
    });
    expect(await repairDirectories(store)).toBe(0);
    await lose(
      store,
      ids.map((id) => tenantDirectory.keyOf(INSTALLATION, JSON.stringify(id))),
    );
    expect(await repairDirectories(store)).toBe(600);
    expect(await repairDirectories(store)).toBe(0);
    await store.close();
  });

  test('a damaged record is skipped and blocks nothing else', async () => {
    const store = testStore();
    const first = await openKeep({ store, passwords });
    const { secret } = await bootstrapMaster(first, 'root');
    await bootstrapTenant(first, { tenantId: 'whole', subjectId: 'ops' });
    const damaged = await createAdmin(first, { username: 'ann', password, role: 'Admin' });
    await createAdmin(first, { username: 'bob', password, role: 'Admin' });
    await store.transact((tx) => {
      tx.put(tenants.keyOf(INSTALLATION, 'damaged'), Buffer.from([1]));
      tx.put(accounts.keyOf(INSTALLATION, damaged.id), Buffer.from([1]));
    });
    await lose(store, [
      tenantDirectory.keyOf(INSTALLATION, '"whole"'),
      accountDirectory.keyOf(INSTALLATION, '"ann"'),
      accountDirectory.keyOf(INSTALLATION, '"bob"'),
    ]);
    await using keep = await openKeep({ store, passwords });
    expect(await tenantIds(keep, secret)).toEqual(['whole']);
    expect(await usernames(keep, INSTALLATION)).toEqual(['bob']);
  });
});

test('servers that start together repair while another one serves', async () => {
  await using servers = new Servers();
  const first = await servers.open();
  const { secret } = await bootstrapMaster(first.keep, 'root');
  const ids = Array.from({ length: 30 }, (_, index) => `t-${String(index).padStart(2, '0')}`);
  for (const tenantId of ids) await bootstrapTenant(first.keep, { tenantId, subjectId: 'ops' });
  await lose(
    servers.store,
    ids.map((id) => tenantDirectory.keyOf(INSTALLATION, JSON.stringify(id))),
  );
  const starts = [servers.open(), servers.open()];
  const meanwhile = ['u-0', 'u-1'].map((tenantId) =>
    bootstrapTenant(first.keep, { tenantId, subjectId: 'ops' }),
  );
  const started = await Promise.all(starts);
  await Promise.all(meanwhile);
  for (const { keep } of [first, ...started]) {
    expect(await tenantIds(keep, secret)).toEqual([...ids, 'u-0', 'u-1']);
  }
});
