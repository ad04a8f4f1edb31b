/** Lists of the installation: its credentials and its tenants (docs/contract/directory.md). */
import { describe, expect } from 'vitest';
import { outcome, refused, result } from '../harness/answer.js';
import type { Members } from '../harness/caller.js';
import { testCase, type Fixture } from '../harness/fixture.js';
import { everyCapability, type GlobalCaller } from '../harness/global-caller.js';
import { overHttp } from '../harness/http-fixture.js';
import { allEntries, damage, overwrite } from '../harness/stored-entries.js';

interface Page {
  readonly items: readonly unknown[];
  readonly next_cursor: string | null;
}

/** Every list of the installation, with the member that identifies an item. */
const lists = {
  credentials: {
    page: async (caller: GlobalCaller, parameters: Members = {}): Promise<Page> =>
      result(await caller.list(parameters)).page,
    ask: async (caller: GlobalCaller, parameters: Members) =>
      outcome(await caller.list(parameters)),
  },
  tenants: {
    page: async (caller: GlobalCaller, parameters: Members = {}): Promise<Page> =>
      result(await caller.listTenants(parameters)).page,
    ask: async (caller: GlobalCaller, parameters: Members) =>
      outcome(await caller.listTenants(parameters)),
  },
};

/** Makes a master, and two items of each list. */
async function two(t: Fixture): Promise<GlobalCaller> {
  const master = await t.master();
  await master.delegate(['tenant_inspect']);
  await master.registered('second');
  return master;
}

for (const [name, { page, ask }] of Object.entries(lists)) {
  describe(name, () => {
    testCase('DIR-C49, DIR-11 there is a cursor exactly when there is more', async (t) => {
      const master = await two(t);
      const all = await page(master);
      expect(all.items).toHaveLength(2);
      expect(all.next_cursor).toBeNull();
      expect((await page(master, { limit: 2 })).next_cursor).toBeNull();
      const first = await page(master, { limit: 1 });
      const second = await page(master, { limit: 1, cursor: first.next_cursor });
      expect([...first.items, ...second.items]).toEqual(all.items);
      expect(second.next_cursor).toBeNull();
      expect(Object.keys(all).sort()).toEqual(['items', 'next_cursor']);
    });

    testCase('DIR-C50 a cursor belongs to its list and has one form', async (t) => {
      const master = await two(t);
      const cursor = String((await page(master, { limit: 1 })).next_cursor);
      const others = Object.entries(lists).filter(([other]) => other !== name);
      for (const [, other] of others) {
        expect(await other.ask(master, { cursor })).toBe(refused.invalid);
      }
      expect(outcome(await t.admin.list({ cursor }))).toBe(refused.invalid);
      await t.admin.appoint({ subject_id: 's', capabilities: ['memory_read'], grants: [] });
      const ofTenant = result(await t.admin.list({ limit: 1 })).page.next_cursor;
      for (const bad of [ofTenant, 'invalid', '', `${cursor}=`, 'a'.repeat(8_193)]) {
        expect(await ask(master, { cursor: bad })).toBe(refused.invalid);
      }
      expect(await ask(master, { cursor })).toBe('200');
    });

    testCase('DIR-C53, CON-73 a credential of a tenant is 403, a revoked one 401', async (t) => {
      const master = await two(t);
      const caller = master.with(t.admin.token);
      expect(await ask(caller, {})).toBe(refused.forbidden);
      result(await t.admin.revoke(t.admin.id, 1));
      expect(await ask(caller, {})).toBe(refused.unauthorized);
    });

    testCase('DIR-7 limits are 1 to 100, by default 25', async (t) => {
      const master = await t.master();
      for (let index = 0; index < 29; index += 1) {
        await master.delegate(['tenant_inspect']);
        await master.registered(`tenant-${index}`);
      }
      expect((await page(master)).items).toHaveLength(25);
      expect((await page(master, { limit: 100 })).items).toHaveLength(30);
      for (const limit of [0, 101, -1, 1.5]) {
        expect(await ask(master, { limit })).toBe(refused.invalid);
      }
    });
  });
}

// CON-120
overHttp(
  'CON-123, CON-120, CON-122, CON-78 each parameter is accepted once, and no unknown one',
  async (http) => {
    const { token } = await http.fixture.master();
    const headers = { Authorization: `Bearer ${token}` };
    for (const path of ['/api/v1/admin/credentials', '/api/v1/admin/tenants']) {
      for (const [query, expected] of [
        ['contract_version=1', '200'],
        ['', refused.invalid],
        ['contract_version=2', refused.version],
        ['contract_version=1.0', refused.invalid],
        ['contract_version=1&contract_version=1', refused.invalid],
        ['contract_version=1&limit=1&limit=1', refused.invalid],
        ['contract_version=1&tenant_id=acme', refused.invalid],
      ] as const) {
        const reply = await http.send('GET', `${path}?${query}`, { headers });
        expect(outcome(reply), `${path}?${query}`).toBe(expected);
      }
    }
    const single = ['/api/v1/admin/identity', '/api/v1/admin/tenants/acme'];
    for (const path of single) {
      const reply = await http.send('GET', `${path}?contract_version=1`, { headers });
      expect(outcome(reply)).toBe(refused.invalid);
    }
  },
);

testCase('DIR-C51 revoked and expired items are listed as inspect shows them', async (t) => {
  const master = await t.master();
  const revoked = await master.delegate(['tenant_inspect']);
  result(await master.revoke(revoked.id, 1));
  await master.delegate(['tenant_create'], { expires_at_millis: t.clock.now() + 1 });
  t.clock.advance(1);
  const { items } = result(await master.list()).page;
  expect(items).toHaveLength(3);
  for (const item of items) {
    expect(item).toEqual(result(await master.inspect(item.id)).credential);
  }
  expect(items.find(({ id }) => id === revoked.id)?.revoked_at_millis).toBe(t.clock.now() - 1);
  expect(items.map(({ id }) => id)).toEqual(items.map(({ id }) => id).toSorted());
});

testCase('tenants are listed in the order of their ids as JSON text', async (t) => {
  const master = await t.master();
  const ids = ['a', 'a"/x', 'a!', 'a#', 'A', 'ab', 'é', '\u{1F600}', '\uFF5E', 'a\\', 'a b', '~'];
  for (const id of ids) await master.registered(id);
  const json = [...ids, 'acme'].map((id) => Buffer.from(JSON.stringify(id)));
  const expected = json
    .toSorted((one, other) => one.compare(other))
    .map((each) => JSON.parse(each.toString()) as string);
  const all = result(await master.listTenants({ limit: 100 })).page.items;
  expect(all.map(({ tenant_id }) => tenant_id)).toEqual(expected);
  const seen: string[] = [];
  let cursor: string | null = null;
  do {
    const position: Members = cursor === null ? {} : { cursor };
    const { page } = result(await master.listTenants({ limit: 1, ...position }));
    seen.push(...page.items.map(({ tenant_id }) => tenant_id));
    cursor = page.next_cursor;
  } while (cursor !== null);
  expect(seen).toEqual(expected);
});

testCase('entries of tenants equal the single inspect', async (t) => {
  const master = await t.master();
  result(await master.register({ tenant_id: 'named', display_name: 'Named' }));
  result(await master.register({ tenant_id: 'plain', display_name: null }));
  for (const item of result(await master.listTenants()).page.items) {
    const { contract_version, ...single } = result(await master.inspectTenant(item.tenant_id));
    expect(contract_version).toBe(1);
    expect(item).toEqual(single);
  }
});

testCase('DIR-19 a traversal is live, and a position stays valid without its item', async (t) => {
  const master = await t.master();
  for (const id of ['b', 'd']) await master.registered(id);
  const { next_cursor: cursor } = result(await master.listTenants({ limit: 2 })).page;
  for (const id of ['aa', 'c']) await master.registered(id);
  const rest = result(await master.listTenants({ cursor })).page.items;
  expect(rest.map(({ tenant_id }) => tenant_id)).toEqual(['c', 'd']);
});

testCase('DIR-21 a listed record that is missing or does not verify fails the page', async (t) => {
  const master = await t.master();
  const delegate = await master.delegate(everyCapability);
  const hex = delegate.id.replaceAll('-', '');
  const entries = (await allEntries(t.store)).filter(({ subspace, key }) => {
    const text = Buffer.from(key).toString('hex');
    return (
      (subspace?.startsWith('globalCredential') && text.includes(hex)) || subspace === 'tenants'
    );
  });
  expect(entries).toHaveLength(3);
  for (const { subspace, key } of entries) {
    const list = () => (subspace === 'tenants' ? master.listTenants() : master.list());
    const repairs = [await damage(t.store, key, 'content')];
    expect(outcome(await list()), subspace).toBe(refused.inconsistent);
    for (const repair of repairs) await repair();
    if (subspace === 'globalCredentials') continue;
    const putBack = await overwrite(t.store, key, undefined);
    expect(outcome(await list()), subspace).toBe(refused.inconsistent);
    await putBack();
    expect(outcome(await list())).toBe('200');
  }
});
