/** Pages of credentials and their cursors (docs/contract/directory.md#dir-7). */
import { describe, expect } from 'vitest';
import { outcome, refused, result } from '../harness/answer.js';
import type { Caller } from '../harness/caller.js';
import { minimalSpec } from '../harness/documents.js';
import { testCase } from '../harness/fixture.js';
import { allEntries, damage, overwrite } from '../harness/stored-entries.js';

async function page(caller: Caller, parameters: Record<string, unknown> = {}) {
  return result(await caller.list(parameters)).page;
}

async function appoint(admin: Caller, count: number): Promise<string[]> {
  const made = await Promise.all(Array.from({ length: count }, () => admin.appoint(minimalSpec)));
  return [admin.id, ...made.map(({ id }) => id)].sort();
}

describe('pages', () => {
  testCase('DIR-11 the default is 25, and the last page has no cursor', async (t) => {
    const ids = await appoint(t.admin, 29);
    const first = await page(t.admin);
    expect(first.items.map(({ id }) => id)).toEqual(ids.slice(0, 25));
    const second = await page(t.admin, { cursor: first.next_cursor });
    expect(second.items.map(({ id }) => id)).toEqual(ids.slice(25));
    expect(second.next_cursor).toBeNull();
    expect((await page(t.admin, { limit: 100 })).items.map(({ id }) => id)).toEqual(ids);
    expect((await page(t.admin, { limit: 30 })).next_cursor).toBeNull();
    expect((await page(t.admin, { limit: 29 })).next_cursor).not.toBeNull();
  });

  testCase("items are the tenant's, as inspect shows them", async (t) => {
    await appoint(t.admin, 2);
    const foreign = await t.foreignAdmin();
    const ends = await t.agent({ expires_at_millis: t.clock.now() + 1 });
    t.clock.advance(1);
    result(await t.admin.rotate(ends.id, 1));
    const { items } = await page(t.admin);
    expect(items).toHaveLength(4);
    for (const item of items) {
      expect(item).toEqual(result(await t.admin.inspect(item.id)).credential);
    }
    expect((await page(foreign)).items.map(({ id }) => id)).toEqual([foreign.id]);
  });

  testCase(
    'DIR-16, DIR-18, CON-6 a traversal is live, and a position stays valid without its item',
    async (t) => {
      await appoint(t.admin, 2);
      const first = await page(t.admin, { limit: 3 });
      expect(first.next_cursor).toBeNull();
      const partial = await page(t.admin, { limit: 2 });
      const cursor = partial.next_cursor;
      const added = await t.admin.appoint(minimalSpec);
      const rest = await page(t.admin, { cursor });
      expect(rest.items.map(({ id }) => id)).toContain(added.id);
      const last = partial.items.at(-1)!;
      const id = last.id.replaceAll('-', '');
      const gone = (await allEntries(t.store)).find(
        ({ subspace, key }) =>
          subspace === 'credentials' && Buffer.from(key).toString('hex').endsWith(id),
      )!;
      await overwrite(t.store, gone.key, undefined);
      expect(await page(t.admin, { cursor })).toEqual(rest);
    },
  );

  testCase('DIR-21 a listed credential that does not verify fails the page', async (t) => {
    const ids = await appoint(t.admin, 2);
    const entries = (await allEntries(t.store)).filter(({ subspace, key }) => {
      const own = Buffer.from(key).includes(Buffer.from(t.admin.id.replaceAll('-', ''), 'hex'));
      return ['credentials', 'credentialEvents'].includes(subspace ?? '') && !own;
    });
    expect(entries).toHaveLength(4);
    for (const { key, subspace } of entries) {
      const repair = await damage(t.store, key, 'content');
      expect(outcome(await t.admin.list())).toBe(refused.inconsistent);
      await repair();
      if (subspace !== 'credentialEvents') continue;
      const putBack = await overwrite(t.store, key, undefined);
      expect(outcome(await t.admin.list())).toBe(refused.inconsistent);
      await putBack();
    }
    expect((await page(t.admin)).items.map(({ id }) => id)).toEqual(ids);
  });
});

describe('cursors', () => {
  testCase('DIR-16 a cursor is deterministic and canonical', async (t) => {
    await appoint(t.admin, 2);
    const cursor = String((await page(t.admin, { limit: 1 })).next_cursor);
    expect((await page(t.admin, { limit: 1 })).next_cursor).toBe(cursor);
    expect(cursor).toMatch(/^[\w-]+$/);
    expect(cursor.length).toBeLessThanOrEqual(8_192);
    const spoilt = [
      cursor.slice(0, -1),
      cursor.slice(1),
      `${cursor}=`,
      `${cursor}A`,
      ` ${cursor}`,
      `${cursor}\n`,
      cursor.slice(0, -4),
      Buffer.from(cursor, 'base64url').toString('hex'),
      Buffer.from(t.admin.id).toString('base64url'),
      t.admin.id,
      'null',
      '-',
      'a'.repeat(8_192),
      'é',
    ];
    for (const bad of spoilt) {
      expect(outcome(await t.admin.list({ cursor: bad })), bad).toBe(refused.invalid);
    }
    for (let at = 0; at < cursor.length; at += 1) {
      const other = cursor[at] === 'A' ? 'B' : 'A';
      const bad = cursor.slice(0, at) + other + cursor.slice(at + 1);
      expect(outcome(await t.admin.list({ cursor: bad })), bad).toBe(refused.invalid);
    }
  });

  testCase('DIR-16 a cursor carries no authority', async (t) => {
    await appoint(t.admin, 1);
    const { next_cursor: cursor } = await page(t.admin, { limit: 1 });
    const agent = await t.agent();
    expect(outcome(await agent.list({ cursor }))).toBe(refused.forbidden);
    const second = await t.admin.appoint({ ...minimalSpec, capabilities: ['credential_admin'] });
    expect(outcome(await second.list({ cursor }))).toBe('200');
  });
});
