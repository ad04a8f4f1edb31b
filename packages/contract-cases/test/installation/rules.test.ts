/** Rules of the installation that hold for all its operations (docs/contract/installation.md). */
import { expect, test } from 'vitest';
import { routes } from '@agentkeep/client/routes';
import { outcome, refused, result } from '../harness/answer.js';
import { unknownId } from '../harness/documents.js';
import { testCase } from '../harness/fixture.js';
import { overHttp } from '../harness/http-fixture.js';
import { withUsers } from '../users/user-fixture.js';

testCase('CON-146 times are integers, and their names say so', async (t) => {
  const master = await t.master();
  const { credential } = result(await master.identity());
  const times = Object.entries(credential).filter(([name]) => name.endsWith('_at_millis'));
  expect(times.length).toBeGreaterThan(0);
  for (const [, value] of times) expect(value === null || Number.isInteger(value)).toBe(true);
  expect(Object.keys(credential).filter((name) => /time|date|_at$/u.test(name))).toEqual([]);
});

testCase('CRD-40 a history names what was done', async (t) => {
  const master = await t.master();
  const delegate = await master.delegate(['tenant_create', 'tenant_admin']);
  result(await master.rotate(delegate.id, 1));
  result(await master.revoke(delegate.id, 2));
  const actionsOf = (history: readonly { action: string }[]) => history.map(({ action }) => action);
  const own = result(await master.inspect(delegate.id)).credential;
  expect(actionsOf(own.history)).toEqual(['issued', 'rotated', 'revoked']);
  expect(actionsOf(result(await master.identity()).credential.history)).toEqual(['bootstrapped']);
  const first = await master.registered('fresh');
  const appointed = result(await master.appoint('fresh')).credential;
  const registered = result(await first.whoAmI()).credential;
  expect([actionsOf(registered.history), actionsOf(appointed.history)]).toEqual([
    ['tenant_registered_by_global_authority'],
    ['admin_issued_by_global_authority'],
  ]);
});

testCase('CON-24 a token begins with the name of its family', async (t) => {
  const master = await t.master();
  expect(master.token).toMatch(/^akg1_[0-9a-f]{32}_[\w-]{43}$/u);
  expect(t.admin.token).toMatch(/^ak1_[0-9a-f]{32}_[\w-]{43}$/u);
  for (const token of [`x${master.token}`, `${master.token}x`, ` ${master.token}`]) {
    expect(outcome(await master.with(token).identity())).toBe(refused.unauthorized);
  }
});

test('INS-57, KEY-21, OPR-72 there are no such operations', () => {
  const names = Object.keys(routes).filter((name) =>
    /tenant/iu.test(name) ? /suspend|rename|delete|unregister|update/iu.test(name) : false,
  );
  expect(names).toEqual([]);
  expect(Object.keys(routes).filter((name) => /rotate.*key|key.*rotate/iu.test(name))).toEqual([]);
  expect(Object.keys(routes).filter((name) => /stop|shutdown|restart/iu.test(name))).toEqual([]);
});

testCase('INS-84 the master may revoke itself', async (t) => {
  const master = await t.master();
  result(await master.revoke(master.id, 1));
  expect(outcome(await master.identity())).toBe(refused.unauthorized);
});

testCase('INS-103, CON-78, CON-73 checks come in order', async (t) => {
  const master = await t.master();
  const plain = await master.delegate(['tenant_create']);
  const inspect = async (caller: typeof master, id: string) => outcome(await caller.inspect(id));
  expect(await inspect(master.with('x'), 'bad id')).toBe(refused.unauthorized);
  expect(await inspect(plain, 'bad id')).toBe(refused.invalid);
  expect(await inspect(plain, unknownId)).toBe(refused.forbidden);
  expect(await inspect(master, unknownId)).toBe(refused.forbidden);
  const asTenant = await t.transport('inspectGlobalCredential', t.admin.token, { id: 'bad id' });
  expect(outcome(asTenant)).toMatch(/^40[13] /u);
  expect(outcome(await master.inspectTenant('absent'))).toBe(refused.noTenant);
});

overHttp('CON-79 a body over its cap is 413', async (http) => {
  const master = await http.fixture.master();
  const headers = {
    Authorization: `Bearer ${master.token}`,
    'Content-Type': 'application/json',
  };
  const body = JSON.stringify({ contract_version: 1, pad: 'x'.repeat(65_536) });
  const reply = await http.send('POST', '/api/v1/admin/credentials', { headers, body });
  expect(outcome(reply)).toBe(refused.tooLarge);
});

withUsers('CON-30 an API key is a proof on routes of accounts', async (users) => {
  const member = await users.member('kim');
  const { key } = result(await member.call('createApiKey', { document: { name: 'ci' } }));
  const { transport } = users.fixture;
  const got = await transport('getUser', key, { id: member.id, parameters: {} });
  expect(outcome(got)).toBe('200');
});

withUsers('CON-61 roles count in their authority', async (users) => {
  const { chief, fixture, root } = users;
  const admin = await users.member('admin', { roles: ['Admin'] });
  const document = (username: string, roles: string[]) => ({
    document: { username, password: 'Correct-Horse-7', roles },
  });
  expect(await admin.outcome('createUser', document('a', ['Read']))).toBe('201');
  expect(await admin.outcome('createUser', document('b', ['Admin']))).toBe(refused.forbidden);
  expect(await chief.outcome('createUser', document('c', ['Admin']))).toBe('201');
  expect(await chief.usernames()).not.toContain('root');
  expect(await root.outcome('createUser', document('d', ['Admin']))).toBe('201');
  const master = await fixture.master();
  const made = await fixture.transport('createUser', master.token, document('e', ['Admin']));
  expect(outcome(made)).toBe('201');
});
