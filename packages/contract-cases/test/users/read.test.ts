/** Reading one account or all accounts (docs/contract/users.md). */
import { expect } from 'vitest';
import { outcome, refused, result } from '../harness/answer.js';
import { unknownId } from '../harness/documents.js';
import { PASSWORD, withUsers } from './user-fixture.js';

withUsers('USR-C34, CON-61, CON-73 other accounts read only themselves', async (users) => {
  const { root } = users;
  const reader = await users.person('reader');
  const boss = await users.person('boss', { roles: ['Admin'] });
  expect(result(await reader.get(reader.id)).username).toBe('reader');
  expect(result(await reader.get(reader.id.toUpperCase())).username).toBe('reader');
  for (const id of [root.id, unknownId]) {
    expect(outcome(await reader.get(id))).toBe(refused.forbidden);
    expect(outcome(await reader.update(id, {}))).toBe(refused.forbidden);
    expect(outcome(await reader.delete(id))).toBe(refused.forbidden);
  }
  expect(outcome(await boss.get(unknownId))).toBe('404 not_found');
  expect(result(await boss.get(root.id)).username).toBe('root');
  expect(outcome(await reader.list())).toBe(refused.forbidden);
});

withUsers('USR-C37, CON-74 an administrator of a tenant sees only its accounts', async (users) => {
  const { root, chief, tenantAdmin, fixture } = users;
  await users.member('ann');
  for (const party of [chief, tenantAdmin]) {
    expect(await party.usernames()).toEqual(['ann', 'chief']);
    expect(outcome(await party.get(root.id))).toBe('404 not_found');
    expect(outcome(await party.update(root.id, {}))).toBe('404 not_found');
    expect(outcome(await party.delete(root.id))).toBe('404 not_found');
    expect(outcome(await party.setRoles(root.id, []))).toBe('404 not_found');
    expect(outcome(await party.reset(root.id, PASSWORD))).toBe('404 not_found');
  }
  const other = await fixture.foreignAdmin();
  expect(result(await other.call('listUsers', {})).users).toEqual([]);
  const { id } = chief;
  expect(outcome(await other.call('getUser', { id }))).toBe('404 not_found');
});

withUsers('USR-22, CON-139 a malformed id is 400, after authentication', async (users) => {
  const { root, fixture } = users;
  const reader = await users.person('reader');
  for (const id of ['me', 'x', unknownId.replaceAll('-', '')]) {
    expect(outcome(await root.get(id)), id).toBe(refused.invalid);
    expect(outcome(await root.update(id, {})), id).toBe(refused.invalid);
    expect(outcome(await root.delete(id)), id).toBe(refused.invalid);
    expect(outcome(await root.setRoles(id, [])), id).toBe(refused.invalid);
    expect(outcome(await reader.get(id)), id).toBe(refused.invalid);
    expect(outcome(await reader.setRoles(id, [])), id).toBe(refused.forbidden);
    expect(outcome(await reader.delete(id)), id).toBe(refused.forbidden);
  }
  expect(outcome(await fixture.transport('getUser', undefined, { id: 'x' }))).toBe(
    refused.unauthorized,
  );
  const agent = await fixture.agent();
  expect(outcome(await agent.call('getUser', { id: 'x' }))).toBe(refused.forbidden);
});

withUsers('CON-64 a reader may name its own tenant and no other', async (users) => {
  const ann = await users.member('ann');
  expect(outcome(await ann.get(ann.id, { tenant_id: 'acme' }))).toBe('200');
  expect(outcome(await ann.get(ann.id, { tenant_id: 'other' }))).toBe(refused.forbidden);
  const reader = await users.person('reader');
  expect(outcome(await reader.get(reader.id, { tenant_id: 'acme' }))).toBe(refused.forbidden);
  expect(outcome(await users.root.get(users.root.id, { tenant_id: 'acme' }))).toBe('404 not_found');
});

withUsers(
  'USR-33, USR-34 a list continues after the last item, by the bytes of names',
  async (users) => {
    const { root, chief } = users;
    const names = ['Zed', 'ann', 'ann2', 'ä', '~', '\u{1F600}', '\uFD3E', 'b"c', 'root'];
    for (const username of names.slice(0, -1)) {
      result(await root.create({ username, password: PASSWORD }));
    }
    const sorted = names.toSorted((one, other) =>
      Buffer.compare(Buffer.from(one), Buffer.from(other)),
    );
    expect(await root.usernames()).toEqual(sorted);
    for (const limit of [1, 2, 3, 8, 9]) {
      const seen: string[] = [];
      let cursor: string | null = null;
      do {
        const page: { users: { username: string }[]; next_cursor: string | null } = result(
          await root.list({ limit, ...(cursor === null ? {} : { cursor }) }),
        );
        seen.push(...page.users.map(({ username }) => username));
        cursor = page.next_cursor;
        expect(page.users.length).toBe(cursor === null ? page.users.length : limit);
      } while (cursor !== null);
      expect(seen).toEqual(sorted);
    }
    const { next_cursor: cursor } = result(await root.list({ limit: 1 }));
    expect(outcome(await chief.list({ cursor }))).toBe(refused.invalid);
    expect(outcome(await root.list({ cursor, tenant_id: 'acme' }))).toBe(refused.invalid);
    expect(outcome(await root.list({ cursor: 'invalid' }))).toBe(refused.invalid);
    expect(outcome(await root.list({ cursor: 'A'.repeat(8_193) }))).toBe(refused.invalid);
  },
);

withUsers('deleted accounts are in no list', async ({ root }) => {
  const ids: string[] = [];
  for (const username of ['a', 'b', 'c']) {
    ids.push(result(await root.create({ username, password: PASSWORD })).id);
  }
  result(await root.delete(ids[1]));
  expect(await root.usernames()).toEqual(['a', 'c', 'root']);
  const page = result(await root.list({ limit: 2 }));
  expect(page.users.map(({ username }) => username)).toEqual(['a', 'c']);
  expect(page.next_cursor).not.toBeNull();
  result(await root.delete(ids[2]));
  const last = result(await root.list({ limit: 2 }));
  expect(last.next_cursor).toBeNull();
});

withUsers('USR-33 limits of a list are 1 to 1,000', async ({ root }) => {
  for (const limit of [0, 1_001, -1, 1.5, 'x', '']) {
    expect(outcome(await root.list({ limit })), String(limit)).toBe(refused.invalid);
  }
  expect(outcome(await root.list({ limit: 1_000 }))).toBe('200');
  expect(outcome(await root.list({ offset: 1 }))).toBe(refused.invalid);
});

withUsers('CON-64 a tenant_id that is no text id is 400', async ({ root, chief }) => {
  const documents = { revokeAllTokens: { user_id: root.id } };
  const operations = ['listUsers', 'listLockouts', 'queryAuditLogs', 'revokeAllTokens'] as const;
  for (const operation of operations) {
    const document = operation === 'revokeAllTokens' ? documents[operation] : undefined;
    for (const tenant_id of [' ', 'x'.repeat(257), 'a\u0007b']) {
      const parts = { parameters: { tenant_id }, document };
      expect(await root.outcome(operation, parts), operation).toBe(refused.invalid);
      expect(await chief.outcome(operation, parts), operation).toBe(refused.invalid);
    }
    const unknown = { parameters: { tenant_id: 'nowhere' }, document };
    expect(await root.outcome(operation, unknown), operation).toBe(refused.noTenant);
  }
});
