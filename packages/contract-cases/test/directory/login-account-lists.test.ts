/** Lists of login accounts (docs/contract/directory.md). */
import { describe, expect } from 'vitest';
import { outcome, refused, result } from '../harness/answer.js';
import { goodNames } from '../harness/documents.js';
import {
  type Holder,
  inBothViews,
  inView,
  type View,
} from '../login-accounts/login-account-fixture.js';
import { allEntries, damage, overwrite } from '../harness/stored-entries.js';

async function page(view: View, parameters: object = {}, by?: Holder) {
  return result(await view.list({ ...parameters }, by)).page;
}

/** Returns the usernames of a page. */
async function names(view: View, parameters: object = {}): Promise<string[]> {
  return (await page(view, parameters)).items.map(({ username }) => username);
}

/** Makes accounts; returns the cursor after the first of them. */
async function cursorOf(view: View, usernames = ['ann', 'bob']): Promise<string> {
  for (const username of usernames) await view.made(username, view.admin);
  return String((await page(view, { limit: 1 })).next_cursor);
}

describe('a page', () => {
  inBothViews('DIR-C49 has a cursor exactly when there is more', async (view) => {
    expect(result(await view.list())).toEqual({
      contract_version: 1,
      page: { items: [], next_cursor: null },
    });
    const cursor = await cursorOf(view);
    expect((await page(view, { limit: 2 })).next_cursor).toBeNull();
    expect(await names(view, { limit: 1 })).toEqual(['ann']);
    const second = await page(view, { limit: 1, cursor });
    expect(second.items.map(({ username }) => username)).toEqual(['bob']);
    expect(second.next_cursor).toBeNull();
    expect(await names(view, { limit: 1, cursor })).toEqual(['bob']);
    expect((await page(view, { limit: 1 })).next_cursor).toBe(cursor);
  });

  inBothViews('has 25 accounts by default and at most 100', async (view) => {
    const key = await view.key();
    for (let index = 10; index < 39; index += 1) await view.made(`u${index}`, key);
    const first = await page(view);
    expect(first.items).toHaveLength(25);
    expect(await names(view, { cursor: first.next_cursor })).toEqual(['u35', 'u36', 'u37', 'u38']);
    expect(await names(view, { limit: 100 })).toHaveLength(29);
    for (const limit of [0, 101, -1, 1.5]) {
      expect(outcome(await view.list({ limit })), String(limit)).toBe(refused.invalid);
    }
  });

  inBothViews(
    'DIR-C51, LOG-6 shows disabled and deleted accounts as inspect does',
    async (view) => {
      const [ann, bob, cid] = [
        await view.made('ann', view.admin),
        await view.made('bob', view.admin),
        await view.admins('cid'),
      ];
      view.t.clock.advance(1);
      result(await view.disable(ann.id, 1));
      result(await view.call('deleteUser', { id: bob.id }));
      const { items } = await page(view);
      expect(items.map(({ id }) => id)).toEqual([ann.id, bob.id, cid.id]);
      const ends = items.map(({ disabled_at_millis }) => disabled_at_millis);
      expect(ends).toEqual([view.t.clock.now(), view.t.clock.now(), null]);
      for (const item of items) expect(item).toEqual(await view.account(item));
      const members = Object.keys(items[0] ?? {}).sort();
      expect(members).toEqual([
        'authority',
        'credential_id',
        'disabled_at_millis',
        'history',
        'id',
        'revision',
        'username',
      ]);
    },
  );

  inBothViews('is ordered by the bytes of usernames as JSON text', async (view) => {
    const usernames = ['a', 'a"/x', 'a!', 'a#', 'A', 'ab', 'é', '\u{1F600}', '\uFD3E', 'a\\', '~'];
    const all = [...usernames, ...goodNames.map(([, text]) => text)];
    const key = await view.key();
    for (const username of all) await view.made(username, key);
    const bytes = all.map((each) => Buffer.from(JSON.stringify(each)));
    const expected = bytes
      .toSorted((one, other) => one.compare(other))
      .map((each) => JSON.parse(each.toString()) as string);
    expect(await names(view, { limit: 100 })).toEqual(expected);
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const more: Awaited<ReturnType<typeof page>> = await page(view, {
        limit: 1,
        ...(cursor === null ? {} : { cursor }),
      });
      seen.push(...more.items.map(({ username }) => username));
      cursor = more.next_cursor;
    } while (cursor !== null);
    expect(seen).toEqual(expected);
  });

  inBothViews('DIR-18 shows one authority only', async (view) => {
    const foreign = await view.t.foreignAdmin('acm');
    const longer = await view.t.foreignAdmin('acme"/x');
    const document = { username: 'eve', password: 'Correct-horse-1' };
    for (const each of [foreign, longer]) result(await each.call('createUser', { document }));
    await view.made('ann', view.admin);
    expect(await names(view)).toEqual(['ann']);
  });

  inBothViews('DIR-19 is live: accounts after the cursor appear', async (view) => {
    const cursor = await cursorOf(view, ['b', 'd']);
    for (const username of ['a', 'c']) await view.made(username, view.admin);
    expect(await names(view, { cursor })).toEqual(['c', 'd']);
  });

  inBothViews('DIR-21 fails when a listed account does not verify', async (view) => {
    const ann = await view.made('ann', view.admin);
    const id = Buffer.from(ann.id.replaceAll('-', ''), 'hex');
    const hasId = (key: Uint8Array) => Buffer.from(key).includes(id);
    const listed = (await allEntries(view.t.store)).filter(
      ({ subspace, key }) => subspace?.startsWith('account') === true && hasId(key),
    );
    expect(listed).toHaveLength(2);
    for (const { key } of listed) {
      const repair = await damage(view.t.store, key, 'content');
      expect(outcome(await view.list())).toBe(refused.inconsistent);
      await repair();
      const putBack = await overwrite(view.t.store, key, undefined);
      expect(outcome(await view.list())).toBe(refused.inconsistent);
      await putBack();
      expect(await names(view)).toEqual(['ann']);
    }
  });
});

describe('a cursor', () => {
  inBothViews('DIR-C50 has one form', async (view) => {
    const cursor = await cursorOf(view);
    for (const bad of ['invalid', '', 'null', `${cursor}=`, `${cursor}A`, cursor.slice(0, -1)]) {
      expect(outcome(await view.list({ cursor: bad })), bad).toBe(refused.invalid);
    }
    expect(outcome(await view.list({ cursor: 'a'.repeat(8_192) }))).toBe(refused.invalid);
    expect(outcome(await view.list({ cursor: 'a'.repeat(8_193) }))).toBe(refused.invalid);
    for (let at = 0; at < cursor.length; at += 1) {
      const other = cursor[at] === 'A' ? 'B' : 'A';
      const bad = cursor.slice(0, at) + other + cursor.slice(at + 1);
      expect(outcome(await view.list({ cursor: bad })), bad).toBe(refused.invalid);
    }
  });

  inView('tenant', 'DIR-C50 belongs to one list of one tenant', async (view) => {
    const cursor = await cursorOf(view);
    const foreign = await view.t.foreignAdmin();
    const master = await view.t.master();
    expect(outcome(await view.list({ cursor }, foreign))).toBe(refused.invalid);
    const parameters = { contract_version: 1, cursor };
    for (const name of ['listGlobalLoginAccounts', 'listGlobalCredentials'] as const) {
      expect(outcome(await master.call(name, { parameters }))).toBe(refused.invalid);
    }
    expect(await view.outcome('listTenantCredentials', { parameters })).toBe(refused.invalid);
    await view.key();
    const { next_cursor } = result(await view.t.admin.list({ limit: 1 })).page;
    expect(outcome(await view.list({ cursor: next_cursor }))).toBe(refused.invalid);
    expect(outcome(await view.list({ cursor }))).toBe('200');
  });

  inView('global', 'DIR-C50 belongs to one list of the installation', async (view) => {
    const cursor = await cursorOf(view);
    const parameters = { contract_version: 1, cursor };
    for (const name of ['listTenants', 'listGlobalCredentials'] as const) {
      expect(await view.outcome(name, { parameters })).toBe(refused.invalid);
    }
    expect(outcome(await view.t.admin.call('listTenantLoginAccounts', { parameters }))).toBe(
      refused.invalid,
    );
  });

  inBothViews('carries no authority', async (view) => {
    const cursor = await cursorOf(view);
    const key = await view.key();
    expect(outcome(await view.list({ cursor }, key))).toBe(refused.forbidden);
  });
});

describe('who may list', () => {
  inView('global', 'DIR-C53 not a tenant, although its credential is known', async (view) => {
    const { admin } = view.t;
    expect(outcome(await view.list({}, admin))).toBe(refused.forbidden);
    expect(outcome(await view.list({ limit: 0 }, admin))).toBe(refused.forbidden);
    result(await admin.revoke(admin.id, 1));
    expect(outcome(await view.list({}, admin))).toBe(refused.unauthorized);
  });

  inView('global', 'INS-C16 not a delegate, whatever its capabilities', async (view) => {
    const full = await view.full();
    await view.made('ann', full);
    expect(outcome(await view.list({}, full))).toBe(refused.forbidden);
    expect(outcome(await view.list({}, await view.session('ann')))).toBe(refused.forbidden);
    await view.made('chief', view.admin);
    expect(outcome(await view.list({}, await view.session('chief')))).toBe('200');
  });

  inView('tenant', 'DIR-C54 holders of credential_admin', async (view) => {
    const [key, full] = [await view.key(), await view.full()];
    expect(outcome(await view.list({}, key))).toBe(refused.forbidden);
    expect(outcome(await view.list({ limit: 0 }, key))).toBe(refused.invalid);
    expect(outcome(await view.list({}, full))).toBe('200');
    await view.made('ann', full);
    expect(outcome(await view.list({}, await view.session('ann')))).toBe('200');
  });
});
