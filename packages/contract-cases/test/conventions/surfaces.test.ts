/** The two surfaces, their paths and proofs, and repeated writes (docs/contract/conventions.md). */
import { expect, test } from 'vitest';
import { routes } from '@agentkeep/client/routes';
import { contractDocument } from '@agentkeep/server';
import { outcome, refused, result } from '../harness/answer.js';
import { record, scope } from '../harness/documents.js';
import { testCase } from '../harness/fixture.js';
import { overHttp } from '../harness/http-fixture.js';
import { OTHER_PASSWORD, PASSWORD, withUsers } from '../users/user-fixture.js';

test('CON-2 all paths lie under /api/v1, but for a few', () => {
  const outside = new Set(
    Object.values(routes)
      .map(({ path }) => path)
      .filter((path) => !path.startsWith('/api/v1/') && !path.startsWith('/admin/')),
  );
  expect([...outside].toSorted()).toEqual(['/.well-known/jwks.json', '/health']);
});

test('CON-3, CON-118 answers of the platform state their version, others none', () => {
  for (const [name, { method, path, status, surface }] of Object.entries(routes)) {
    const { responses } = contractDocument.paths[path]![method.toLowerCase()]!;
    const text = JSON.stringify(responses[String(status)]);
    const named = /#\/components\/schemas\/(\w+)/u.exec(text)?.[1] ?? '';
    const schema = JSON.stringify(contractDocument.components.schemas[named] ?? text);
    expect([name, schema.includes('"contract_version"')]).toEqual([name, surface === 'platform']);
  }
});

testCase('CON-7 the same key and command return the original, others conflict', async (t) => {
  const agent = await t.agent();
  const create = (primary: string) =>
    agent.command(scope, { type: 'create', record: record({ content: { primary } }) }, 'key');
  const first = await create('a');
  expect(await create('a')).toEqual(first);
  expect(outcome(await create('b'))).toBe(refused.otherCommand);
});

withUsers('CON-8 a repeated change ends in the same state', async (users) => {
  const { root } = users;
  const document = { username: 'twice', password: PASSWORD };
  const made = result(await root.create(document));
  expect(outcome(await root.create(document))).toMatch(/^409 /u);
  const change = () => root.update(made.id, { email: 'x@x.test' });
  const [one, other] = [result(await change()), result(await change())];
  expect({ ...other, updated_at: one.updated_at }).toEqual(one);
  const lock = async () => {
    const parts = { id: 'twice', parameters: {}, document: { reason: 'x' } };
    expect(await root.outcome('lockAccount', parts)).toBe('200');
    return result(await root.call('getLockout', { id: 'twice', parameters: {} }));
  };
  const first = await lock();
  expect(await lock()).toMatchObject({
    status: { locked: true, lockout_count: first.status.lockout_count + 1 },
  });
});

withUsers('CON-9 of two parallel changes one is left, whole', async (users) => {
  const { root } = users;
  const { id } = await users.person('racer');
  const changes = [
    { email: 'a@x.test', roles: ['Read'] },
    { email: 'b@x.test', roles: ['Write'] },
  ];
  const answers = await Promise.all(changes.map((each) => root.update(id, each)));
  for (const answer of answers) expect(outcome(answer)).toBe('200');
  expect(changes).toContainEqual(
    (({ email, roles }) => ({ email, roles }))(result(await root.get(id))),
  );
});

withUsers('CON-21, USR-14 both views show one account', async (users) => {
  const { chief, fixture, tenantAdmin } = users;
  const { id } = await users.member('both');
  const parts = { id, parameters: {} };
  const { account } = result(await tenantAdmin.call('inspectTenantLoginAccount', parts));
  // LOG-3
  expect(account).toMatchObject({ id, username: 'both', credential_id: null });
  result(await chief.reset(id, OTHER_PASSWORD));
  const login = (password: string) =>
    fixture.transport('loginTenant', undefined, {
      document: { contract_version: 1, tenant_id: 'acme', username: 'both', password },
    });
  expect(outcome(await login(PASSWORD))).toMatch(/^401 /u);
  expect(outcome(await login(OTHER_PASSWORD))).not.toMatch(/^401 /u);
});

overHttp('CON-128, SES-29 a refused proof comes before an unknown parameter', async (http) => {
  const anonymous = await http.send('GET', '/api/v1/identity?tenant_id=b');
  expect(outcome(anonymous)).toBe(refused.unauthorized);
  expect(outcome(await http.get('/api/v1/identity?tenant_id=b'))).toBe(refused.invalid);
});

overHttp('CON-129, PLT-13 public documents ignore parameters', async (http) => {
  for (const path of ['/health', '/openapi.json', '/.well-known/jwks.json']) {
    expect((await http.send('GET', `${path}?stray=1`)).status).toBe(200);
  }
});

testCase('CON-137 what no page describes is refused as unknown', async (t) => {
  const agent = await t.agent();
  for (const type of ['derive', 'review', 'checkpoint', 'export', 'withdraw']) {
    const command = { type, record_id: '01900000-0000-7000-8000-000000000000' };
    expect(outcome(await agent.command(scope, command, 'key'))).toBe(refused.invalid);
  }
  for (const member of ['strategy', 'lineage', 'semantic']) {
    const document = { contract_version: 1, scope, [member]: {} };
    expect(outcome(await agent.call('queryMemory', { document }))).toBe(refused.invalid);
  }
});

testCase('CON-144 tags and types are not folded', async (t) => {
  const agent = await t.agent();
  const tagged = record({ tags: ['Refund'], episode_type: { Custom: 'Rule' } });
  result(await agent.command(scope, { type: 'create', record: tagged }, 'key'));
  const found = async (filter: object) => {
    const document = { contract_version: 1, scope, filter };
    return result(await agent.call('queryMemory', { document })).page.records.length;
  };
  expect([await found({ tag: 'Refund' }), await found({ tag: 'refund' })]).toEqual([1, 0]);
  const types = [{ Custom: 'Rule' }, { Custom: 'rule' }];
  const counts = await Promise.all(types.map((episode_type) => found({ episode_type })));
  expect(counts).toEqual([1, 0]);
});

withUsers('CON-95, CON-72 an unknown name fails as a wrong password does', async (users) => {
  const { fixture } = users;
  await users.person('known');
  const login = (username: string) =>
    fixture.transport('authLogin', undefined, {
      document: { username, password: OTHER_PASSWORD },
    });
  const [known, unknown] = [await login('known'), await login('unknown')];
  expect(unknown.body).toEqual(known.body);
  expect(unknown.status).toBe(401);
  const contract = (username: string) => {
    const document = { contract_version: 1, username, password: OTHER_PASSWORD };
    return fixture.transport('loginGlobal', undefined, { document });
  };
  expect(outcome(await contract('nobody'))).toBe('401 invalid_login');
});
