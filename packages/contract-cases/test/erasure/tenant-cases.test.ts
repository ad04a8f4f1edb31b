/** Cases of erasures of whole tenants (docs/contract/erasure.md). */
import { createAdmin, runtimeOf } from '@agentkeep/core/operator';
import { expect } from 'vitest';
import { outcome, refused, result } from '../harness/answer.js';
import type { Caller, Members } from '../harness/caller.js';
import { scope, sharedScope } from '../harness/documents.js';
import { testCase } from '../harness/fixture.js';
import type { GlobalCaller } from '../harness/global-caller.js';
import { countsOf, erasedTenant, version, wholeStore } from './erasure-kit.js';

// ERA-18, ERA-20
testCase('ERA-C9 a tenant is erased with all that it has, and its id is free', async (t) => {
  const master = await t.master();
  const admin = await master.registered('globex');
  result(await master.setQuota('globex', { max_entries: 100_000 }));
  const document = { ...version, username: 'canary-user', password: 'Correct-Horse-7' };
  result(
    await admin.call('createTenantLoginAccount', {
      document: { ...document, credential_id: admin.id },
    }),
  );
  const agent = await admin.appoint({
    subject_id: 'canary-subject',
    capabilities: ['memory_read', 'memory_write'],
    grants: [scope, sharedScope],
  });
  for (const each of [scope, sharedScope]) result(await agent.put(each, 'canary-name'));
  const neighbour = await t.agent();
  const kept = await neighbour.created(scope);

  const made = await erasedTenant(master, 'globex');

  expect(made).toMatchObject({ kind: 'tenant', pseudonym: null, requested_by: master.id });
  const counts = { credentials: 2, credentialLocators: 2, accounts: 1, memoryRecords: 2 };
  expect(countsOf(made)).toMatchObject(counts);
  expect(outcome(await agent.query(scope))).toBe(refused.unauthorized);
  expect(outcome(await admin.whoAmI())).toBe(refused.unauthorized);
  expect(outcome(await master.inspectTenant('globex'))).toBe('404 tenant_not_found');
  const whole = await wholeStore(t);
  for (const canary of ['canary-user', 'canary-subject', 'canary-name', 'globex\0']) {
    expect(whole).not.toContain(canary);
  }
  expect(result(await neighbour.read(scope, kept)).record.record_id).toBe(kept);

  const anew = await master.registered('globex');
  expect(result(await anew.call('listScopes', { parameters: version })).page.items).toEqual([]);
  expect(result(await master.quotaOf('globex')).quota.max_entries).toBeNull();
});

// ERA-18, ERA-19, ERA-21
testCase(
  'ERA-C10 only the master erases tenants; the log of the installation says so',
  async (t) => {
    const master = await t.master();
    await createAdmin(t.keep, { username: 'root', password: 'Correct-Horse-7' });
    const other = await master.delegate(['tenant_admin', 'tenant_inspect']);
    const parts = { id: 'acme', document: version };
    expect(outcome(await other.call('eraseTenant', parts))).toBe(refused.forbidden);
    expect(outcome(await t.admin.call('eraseTenant', parts))).toBe(refused.forbidden);
    const unknown = await master.call('eraseTenant', { ...parts, id: 'nowhere' });
    expect(outcome(unknown)).toBe('404 tenant_not_found');
    const made = await erasedTenant(master, 'acme');
    const foreign = await other.call('getTenantErasure', { id: made.id });
    expect(outcome(foreign)).toBe(refused.forbidden);
    const id = '01934f2a-7c1b-7000-8000-00000000ffff';
    const missing = await master.call('getTenantErasure', { id });
    expect(outcome(missing)).toBe('404 erasure_not_found');
    await runtimeOf(t.keep).audit.flush();
    const login = { username: 'root', password: 'Correct-Horse-7' };
    const { access_token } = result(await t.transport('authLogin', undefined, { document: login }));
    const answer = await t.transport('queryAuditLogs', access_token, {
      parameters: { limit: 100 },
    });
    const types = result(answer).events.map(({ event_type }) => event_type);
    expect(types.filter((type) => type.startsWith('erasure_'))).toEqual([
      'erasure_finished',
      'erasure_requested',
    ]);
  },
);

// ERA-4, ERA-6, ERA-30
testCase('ERA-C34 erasures of tenants are listed in pages and name no tenant', async (t) => {
  const master = await t.master();
  const list = (caller: Caller | GlobalCaller, parameters: Members = {}) =>
    caller.call('listTenantErasures', { parameters: { ...version, ...parameters } });
  expect(result(await list(master)).page).toEqual({ items: [], next_cursor: null });
  const ids = ['globex', 'initech', 'umbrella'];
  const made = [];
  for (const id of ids) {
    await master.registered(id);
    made.push(await erasedTenant(master, id));
  }
  const own = { ...version, target: { kind: 'subject', subject_id: 'canary' } };
  result(await t.admin.call('startErasure', { document: own }));

  const first = result(await list(master, { limit: 2 })).page;
  const { page } = await list(master, { limit: 2, cursor: first.next_cursor }).then(result);

  expect([...first.items, ...page.items]).toEqual(made);
  expect(page.next_cursor).toBeNull();
  expect(made[0]).toMatchObject({ kind: 'tenant', status: 'finished' });
  expect(made[0]?.certificate).toContain('.');
  const shown = JSON.stringify([first.items, page.items]);
  for (const id of ids) expect(shown).not.toContain(id);
  const delegate = await master.delegate(['tenant_admin', 'tenant_inspect']);
  for (const other of [delegate, t.admin]) {
    expect(outcome(await list(other))).toBe(refused.forbidden);
  }
  const foreign = result(await master.listTenants({ limit: 1 })).page.next_cursor ?? 'none';
  expect(outcome(await list(master, { cursor: foreign }))).toBe(refused.invalid);
});
