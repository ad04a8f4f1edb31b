/**
 * Cases of the installation without login accounts: the master, its delegates and tenants
 * (docs/contract/installation.md).
 */
import { AgentkeepError } from '@agentkeep/core';
import { bootstrapMaster, bootstrapTenant, recoverMaster } from '@agentkeep/core/operator';
import { expect } from 'vitest';
import { outcome, refused, result } from '../harness/answer.js';
import { scope, spec, unknownId } from '../harness/documents.js';
import { testCase, type Fixture } from '../harness/fixture.js';
import { everyCapability, minimalGlobalSpec } from '../harness/global-caller.js';
import { overHttp } from '../harness/http-fixture.js';
import { allEntries, entriesMadeBy } from '../harness/stored-entries.js';

async function codeOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return error instanceof AgentkeepError ? error.code : 'no error';
}

testCase('OPR-C1 the master is bootstrapped once, even if it is revoked', async (t) => {
  const master = await t.master();
  expect(await codeOf(bootstrapMaster(t.keep, 'other'))).toBe('master_exists');
  result(await master.revoke(master.id, 1));
  const made = await entriesMadeBy(t.store, async () => {
    expect(await codeOf(bootstrapMaster(t.keep, 'root'))).toBe('master_exists');
  });
  expect(made).toEqual([]);
});

testCase('INS-C2 every operation of the installation needs a proof', async (t) => {
  const parts = { id: unknownId, parameters: { contract_version: 1 }, document: {} };
  const { id, parameters, document } = parts;
  for (const answer of [
    await t.transport('globalIdentity', undefined, {}),
    await t.transport('issueGlobalCredential', undefined, { document }),
    await t.transport('listGlobalCredentials', undefined, { parameters }),
    await t.transport('inspectGlobalCredential', undefined, { id }),
    await t.transport('rotateGlobalCredential', undefined, { id, document }),
    await t.transport('revokeGlobalCredential', undefined, { id, document }),
    await t.transport('registerTenant', undefined, { document }),
    await t.transport('listTenants', undefined, { parameters }),
    await t.transport('inspectTenant', undefined, { id }),
    await t.transport('issueTenantAdmin', undefined, { id, document }),
  ]) {
    expect(outcome(answer), answer.operation).toBe(refused.unauthorized);
  }
});

testCase("INS-C3 the master's secret is no proof to a tenant", async (t) => {
  const master = await t.master();
  const asTenant = t.admin.with(master.token);
  expect(outcome(await asTenant.whoAmI())).toBe(refused.unauthorized);
});

overHttp('INS-C4 no path makes, resets or recovers the master', async (http) => {
  const master = await http.fixture.master();
  const headers = {
    Authorization: `Bearer ${master.token}`,
    'Content-Type': 'application/json',
  };
  const body = JSON.stringify({ contract_version: 1, subject_id: 'root', expected_revision: 1 });
  for (const path of ['bootstrap-master', 'recover-master', 'master', 'master/recover']) {
    const reply = await http.send('POST', `/api/v1/admin/${path}`, { headers, body });
    expect(outcome(reply), path).toBe('404 not_found');
  }
});

testCase('INS-C5 the right to register includes neither inspecting nor appointing', async (t) => {
  const creator = await (await t.master()).delegate(['tenant_create']);
  expect(outcome(await creator.register({ tenant_id: 'new' }))).toBe('201');
  expect(outcome(await creator.inspectTenant('new'))).toBe(refused.forbidden);
  expect(outcome(await creator.listTenants())).toBe(refused.forbidden);
  expect(outcome(await creator.appoint('new'))).toBe(refused.forbidden);
});

testCase('INS-C6, CON-103 no request makes a master', async (t) => {
  const master = await t.master();
  const answers = [
    await master.register({ tenant_id: 'new', is_master: true }),
    await master.issue({ ...minimalGlobalSpec, is_master: true }),
    await master.call('issueGlobalCredential', {
      document: { contract_version: 1, is_master: true, spec: minimalGlobalSpec },
    }),
  ];
  for (const answer of answers) expect(outcome(answer)).toBe(refused.invalid);
  expect(outcome(await master.inspectTenant('new'))).toBe(refused.noTenant);
});

testCase('INS-C7 a tenant made by a local operator is not registered', async (t) => {
  const master = await t.master();
  expect(outcome(await master.register({ tenant_id: 'acme' }))).toBe(refused.stale);
  expect(result(await master.inspectTenant('acme'))).toEqual({
    contract_version: 1,
    tenant_id: 'acme',
    registration: null,
  });
  expect(outcome(await t.admin.whoAmI())).toBe('200');
  await master.registered('new');
  const again = bootstrapTenant(t.keep, { tenantId: 'new', subjectId: 'ops' });
  expect(await codeOf(again)).toBe('tenant_exists');
});

testCase('INS-C8 of eight registrations of one id at once, one succeeds', async (t) => {
  const master = await t.master();
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => master.register({ tenant_id: 'new' })),
  );
  expect(answers.map(outcome).sort()).toEqual(['201', ...Array<string>(7).fill(refused.stale)]);
  const made = result(answers.find(({ status }) => status === 201)!);
  const { registration } = result(await master.inspectTenant('new'));
  expect(registration).toEqual(made.tenant);
  const { page } = result(await t.admin.with(made.secret).list());
  expect(page.items.map(({ id }) => id)).toEqual([made.credential.id]);
});

testCase('INS-C9 a bad display name is reported before a missing capability', async (t) => {
  const inspector = await (await t.master()).delegate(['tenant_inspect']);
  for (const display_name of [' ', '', 'a'.repeat(257), 'a\u0007']) {
    const answer = await inspector.register({ tenant_id: 'new', display_name });
    expect(outcome(answer)).toBe(refused.invalid);
  }
  const good = await inspector.register({ tenant_id: 'new', display_name: 'New' });
  expect(outcome(good)).toBe(refused.forbidden);
  expect(outcome(await inspector.register({ tenant_id: ' ' }))).toBe(refused.forbidden);
});

testCase('INS-C10 tenant ids follow the text rule', async (t) => {
  const master = await t.master();
  for (const good of ['a'.repeat(256), ' a ', 'Acme', 'é', '../x', 'a/b%2Fc?d#e', '"\\']) {
    const tenant = result(await master.register({ tenant_id: good })).tenant;
    expect(tenant.tenant_id).toBe(good);
    expect(result(await master.inspectTenant(good)).registration).toEqual(tenant);
  }
  for (const bad of ['a'.repeat(257), 'é'.repeat(129), 'a\u0007', '  \u2003', '']) {
    expect(outcome(await master.register({ tenant_id: bad }))).toBe(refused.invalid);
  }
  expect(outcome(await master.inspectTenant('a'.repeat(257)))).toBe(refused.invalid);
  expect(outcome(await master.inspectTenant(' '))).toBe(refused.invalid);
});

testCase('INS-C11 an appointed administrator administrates but has no memory access', async (t) => {
  const admin = await (await t.master()).registered('new');
  expect(admin.credential.spec).toEqual({
    subject_id: 'ops',
    capabilities: ['policy_admin', 'credential_admin'],
    grants: [],
    expires_at_millis: null,
  });
  expect(outcome(await admin.query(scope))).toBe(refused.forbidden);
  const agent = await admin.appoint(spec({ capabilities: ['memory_write'], grants: [scope] }));
  expect(outcome(await agent.create(scope))).toBe('200');
});

testCase('INS-C12 a missing tenant is reported to callers who may inspect', async (t) => {
  const inspector = await (await t.master()).delegate(['tenant_inspect']);
  expect(outcome(await inspector.inspectTenant('absent'))).toBe(refused.noTenant);
  expect(outcome(await inspector.inspectTenant('ACME'))).toBe(refused.noTenant);
  expect(outcome(await inspector.inspectTenant('acme'))).toBe('200');
});

testCase('INS-C13 an issued credential expires no later than its issuer', async (t) => {
  const end = t.clock.now() + 1_000;
  const master = await t.master();
  const issuer = await master.delegate(everyCapability, { expires_at_millis: end });
  const issue = async (members: object) =>
    outcome(await issuer.issue({ ...minimalGlobalSpec, ...members }));
  expect(await issue({})).toBe(refused.forbidden);
  expect(await issue({ expires_at_millis: null })).toBe(refused.forbidden);
  expect(await issue({ expires_at_millis: end + 1 })).toBe(refused.forbidden);
  expect(await issue({ expires_at_millis: end })).toBe('201');
  expect(await issue({ expires_at_millis: end - 1 })).toBe('201');
});

testCase('INS-C14 a delegate cannot delegate what it does not have', async (t) => {
  const issuer = await (await t.master()).delegate(['tenant_create', 'global_credential_admin']);
  const issue = async (...capabilities: string[]) =>
    outcome(await issuer.issue({ ...minimalGlobalSpec, capabilities }));
  expect(await issue('tenant_create', 'tenant_inspect')).toBe(refused.forbidden);
  expect(await issue('tenant_admin')).toBe(refused.forbidden);
  expect(await issue('global_credential_admin', 'tenant_create')).toBe('201');
});

testCase('INS-C15, CRD-11 capabilities are a set in one order', async (t) => {
  const master = await t.master();
  const mixed = [...everyCapability.toReversed(), 'tenant_inspect', 'tenant_create'];
  const made = result(await master.issue({ ...minimalGlobalSpec, capabilities: mixed }));
  expect(made.credential.spec.capabilities).toEqual(everyCapability);
});

testCase("INS-C16 the master's own rights cannot be delegated", async (t) => {
  const master = await t.master();
  const full = await master.delegate(everyCapability);
  expect(outcome(await full.rotate(master.id, 1))).toBe(refused.forbidden);
  expect(outcome(await full.revoke(master.id, 1))).toBe(refused.forbidden);
  expect(result(await full.inspect(master.id)).credential.is_master).toBe(true);
  expect(outcome(await full.list())).toBe(refused.forbidden);
  expect(result(await full.identity()).credential.is_master).toBe(false);
});

testCase('INS-C17 the revision is checked before the expiry', async (t) => {
  const master = await t.master();
  const target = await master.delegate(['tenant_inspect']);
  expect(outcome(await master.rotate(target.id, 2))).toBe(refused.stale);
  expect(outcome(await master.revoke(target.id, 2))).toBe(refused.stale);
  result(await master.revoke(target.id, 1));
  for (const end of ['rotate', 'revoke'] as const) {
    expect(outcome(await master[end](target.id, 2))).toBe(refused.forbidden);
    expect(outcome(await master[end](target.id, 1))).toBe(refused.stale);
  }
});

testCase('INS-C24 an overlap leaves the secret before, until a recovery', async (t) => {
  const master = await t.master();
  const target = await master.delegate(['tenant_inspect']);
  const overlap = { overlap_seconds: 60 };
  const { credential, secret } = result(await master.rotate(target.id, 1, overlap));
  const ends_at_millis = t.clock.now() + 60_000;
  expect(credential.previous_secret).toEqual({ ends_at_millis, last_used_at_millis: null });
  expect(outcome(await target.identity())).toBe('200');
  expect(outcome(await target.with(secret).identity())).toBe('200');
  t.clock.advance(60_000);
  expect(outcome(await target.identity())).toBe(refused.unauthorized);
  expect(outcome(await target.with(secret).identity())).toBe('200');

  const { secret: next } = result(await master.rotate(master.id, 1, overlap));
  expect(outcome(await master.identity())).toBe('200');
  const recovered = await recoverMaster(t.keep, 2);
  expect(recovered.credential).not.toHaveProperty('previous_secret');
  for (const old of [master, master.with(next)]) {
    expect(outcome(await old.identity())).toBe(refused.unauthorized);
  }
});

testCase('INS-C18 an unknown id is forbidden, a malformed one invalid', async (t) => {
  const master = await t.master();
  for (const end of ['rotate', 'revoke'] as const) {
    expect(outcome(await master[end](unknownId, 1))).toBe(refused.forbidden);
    expect(outcome(await master[end](t.admin.id, 1))).toBe(refused.forbidden);
    expect(outcome(await master[end]('not-a-uuid', 1))).toBe(refused.invalid);
  }
  expect(outcome(await master.inspect(unknownId))).toBe(refused.forbidden);
  expect(outcome(await master.inspect('not-a-uuid'))).toBe(refused.invalid);
  expect(outcome(await master.inspect(master.id.toUpperCase()))).toBe('200');
});

testCase('OPR-C19 a recovery at another revision changes nothing', async (t) => {
  expect(await codeOf(recoverMaster(t.keep, 1))).toBe('master_absent');
  const master = await t.master();
  const before = await allEntries(t.store);
  for (const revision of [0, 2, Number.NaN, 1.5]) {
    expect(await codeOf(recoverMaster(t.keep, revision))).toBe('revision_conflict');
  }
  expect(await allEntries(t.store)).toEqual(before);
  expect(outcome(await master.identity())).toBe('200');
});

testCase(
  'OPR-C19 a recovery at the right revision issues a new secret and disables the old one',
  async (t) => {
    const master = await t.master();
    const delegate = await master.delegate(everyCapability);
    result(await master.revoke(delegate.id, 1));
    result(await master.revoke(master.id, 1));
    expect(outcome(await master.identity())).toBe(refused.unauthorized);
    const { credential, secret } = await recoverMaster(t.keep, 2);
    const recovered = master.with(secret);
    expect(credential).toMatchObject({
      id: master.id,
      is_master: true,
      revision: 3,
      revoked_at_millis: null,
      spec: master.credential.spec,
    });
    expect(credential.history.map(({ action, actor_id }) => [action, actor_id])).toEqual([
      ['bootstrapped', master.id],
      ['revoked', master.id],
      ['recovered_by_local_operator', master.id],
    ]);
    expect(result(await recovered.identity()).credential).toEqual(credential);
    expect(outcome(await master.identity())).toBe(refused.unauthorized);
    expect(outcome(await delegate.identity())).toBe(refused.unauthorized);
  },
);

testCase('INS-C20 credentials outlive the revocation of their issuer', async (t) => {
  const master = await t.master();
  const issuer = await master.delegate(everyCapability);
  const issued = await issuer.delegate(['tenant_create']);
  const admin = await issuer.registered('new');
  result(await master.revoke(issuer.id, 1));
  expect(outcome(await issuer.identity())).toBe(refused.unauthorized);
  expect(outcome(await issued.identity())).toBe('200');
  expect(outcome(await admin.whoAmI())).toBe('200');
});

overHttp('INS-C21, INS-C48 a proof of the installation is sent like any other', async (http) => {
  const { token } = await http.fixture.master();
  const path = '/api/v1/admin/identity';
  const bearer = `Bearer ${token}`;
  const twice = new Headers({ Authorization: bearer });
  twice.append('Authorization', bearer);
  const forms: readonly (readonly [string, Record<string, string> | Headers])[] = [
    ['200', { Authorization: bearer }],
    ['200', { Authorization: `BEARER ${token}` }],
    [refused.unauthorized, twice],
    [refused.unauthorized, { Authorization: `Bearer ${'a'.repeat(129)}` }],
    [refused.unauthorized, { Authorization: `Bearer ${token} x` }],
    [refused.unauthorized, { Authorization: `Basic ${token}` }],
    [refused.unauthorized, { Authorization: bearer, 'X-API-Key': 'ak_live_x' }],
    [refused.unauthorized, { Authorization: bearer, 'X-API-Key': token }],
    [refused.unauthorized, { 'X-API-Key': token }],
    [refused.unauthorized, { Cookie: `token=${token}` }],
    [refused.unauthorized, {}],
  ];
  for (const [expected, headers] of forms) {
    const reply = await http.send('GET', path, { headers });
    expect(outcome(reply), JSON.stringify([...new Headers(headers)])).toBe(expected);
  }
});

overHttp('INS-C22 body and capability are checked in the order of each group', async (http) => {
  const { fixture } = http;
  const inspector = await (await fixture.master()).delegate(['tenant_inspect']);
  const agent = await fixture.agent();
  const malformed = { headers: { 'Content-Type': 'application/json' }, body: '{"spec":' };
  const post = (path: string, token: string) =>
    http.send('POST', path, {
      ...malformed,
      headers: { ...malformed.headers, Authorization: `Bearer ${token}` },
    });
  for (const path of ['/api/v1/admin/credentials', '/api/v1/admin/tenants']) {
    expect(outcome(await post(path, inspector.token))).toBe(refused.invalid);
  }
  const appointment = await post('/api/v1/admin/tenants/acme/admin-credentials', inspector.token);
  expect(outcome(appointment)).toBe(refused.invalid);
  expect(outcome(await post('/api/v1/credentials', agent.token))).toBe(refused.forbidden);
  expect(outcome(await post('/api/v1/admin/tenants', agent.token))).toBe(refused.forbidden);
  expect(outcome(await post('/api/v1/admin/tenants', 'x'))).toBe(refused.unauthorized);
});

testCase('INS-C23 revisions are integers up to 2^53 - 1', async (t: Fixture) => {
  const master = await t.master();
  const { id } = await master.delegate(['tenant_inspect']);
  for (const end of ['rotate', 'revoke'] as const) {
    for (const [revision, expected] of [
      [0, refused.stale],
      [2 ** 53 - 1, refused.stale],
      [2 ** 53, refused.invalid],
      [1.5, refused.invalid],
      [-1, refused.invalid],
      ['1', refused.invalid],
      [null, refused.invalid],
    ] as const) {
      const answer = await master[end](id, revision);
      expect(outcome(answer), `${end} ${String(revision)}`).toBe(expected);
    }
  }
  const rescoped = await t.admin.rescope(t.admin.id, 0, { grants: [] });
  expect(outcome(rescoped)).toBe(refused.invalid);
});
