/** Cases of the settings of sign-ins (docs/contract/openid.md). */
import { expect } from 'vitest';
import { PEOPLE_ISSUER } from '@agentkeep/testkit/test-sign-in';
import { outcome, result } from '../harness/answer.js';
import { minimalSpec } from '../harness/documents.js';
import { OTHER_PASSWORD, PASSWORD } from '../users/user-fixture.js';
import { begin, ruleFor, state, withIssuer } from './sign-in-fixture.js';

const settings = { parameters: {} };

withIssuer('OID-C1, OID-1, OID-2, OID-15 settings have revisions and show no secret', async (t) => {
  const { chief } = t;
  const none = { revision: 0, allows_passwords: true, issuers: [], updated_at: null };
  expect(result(await chief.call('getSignInSettings', settings))).toEqual({
    ...none,
    updated_by: null,
  });
  const issuer = { client_secret: 'hush' };
  const made = result(await state(chief, [ruleFor('ops')], { issuer }));
  expect(made).toMatchObject({ revision: 1, updated_by: chief.id });
  expect(made.issuers).toEqual([
    {
      ...{ name: 'staff', issuer: PEOPLE_ISSUER, client_id: 'agentkeep', is_blocked: false },
      scope: 'openid profile email',
      username_claim: ['preferred_username'],
      has_client_secret: true,
      rules: [{ ...ruleFor('ops'), roles: ['Read'], credential_id: null, creates_accounts: false }],
    },
  ]);
  expect(outcome(await state(chief, [], { expected_revision: 0 }))).toBe('409 revision_conflict');
  expect(result(await chief.call('getSignInSettings', settings))).toEqual(made);
  // AUD-93
  const changes = await chief.events({ event_type: 'configuration_changed' });
  const events = changes.filter(({ resource }) => resource === 'sign_in');
  expect(events.map(({ metadata }) => metadata)).toMatchObject([
    { revision: 1, allows_passwords: true, issuers: 1 },
  ]);
  expect(JSON.stringify([made, events])).not.toContain('hush');
  // The secret stays with its client, and goes to no other address.
  const kept = result(await state(chief));
  expect(kept.issuers[0]?.has_client_secret).toBe(true);
  const moved = result(await state(chief, [], { issuer: { issuer: `${PEOPLE_ISSUER}/2` } }));
  expect(moved.issuers[0]?.has_client_secret).toBe(false);
});

withIssuer('OID-C2, OID-10, OID-11, OID-13 settings that make no sense are refused', async (t) => {
  const { chief } = t;
  const usual = { name: 'staff', issuer: PEOPLE_ISSUER, client_id: 'agentkeep' };
  const wrong = [
    { issuers: [usual, { ...usual, issuer: 'https://other.example.test' }] },
    { issuers: [usual, { ...usual, name: 'other' }] },
    { issuers: [{ ...usual, issuer: `${PEOPLE_ISSUER}?a` }] },
    { issuers: [{ ...usual, issuer: 'ftp://id.example.test' }] },
    { issuers: [{ ...usual, scope: 'profile' }] },
    { issuers: [{ ...usual, rules: [{ claims: [] }] }] },
    { issuers: [{ ...usual, client_secret: 'x'.repeat(1_025) }] },
    { issuers: [{ ...usual, secret: 'x' }] },
    {
      issuers: Array.from({ length: 17 }, (_, at) => ({
        ...usual,
        name: `${at}`,
        issuer: `https://${at}.test`,
      })),
    },
    { issuers: [], allows_passwords: false },
    { issuers: [{ ...usual, is_blocked: true }], allows_passwords: false },
  ];
  for (const members of wrong) {
    expect([members, outcome(await state(chief, [], members))]).toEqual([
      members,
      '400 invalid_request',
    ]);
  }
});

withIssuer('OID-C3, OID-14 a rule gives no more than its maker may give', async (t) => {
  const { chief, tenantAdmin, fixture } = t;
  const clerk = await t.member('clerk', { roles: ['Admin'] });
  const foreign = await fixture.foreignAdmin();
  const credential_id = tenantAdmin.id;
  const forbidden = '403 forbidden';
  for (const role of ['Admin', 'SuperAdmin']) {
    const rules = [ruleFor('a'), ruleFor('b', { roles: [role] })];
    expect(outcome(await state(clerk, rules))).toBe(forbidden);
    expect(outcome(await state(tenantAdmin, rules))).toBe(forbidden);
  }
  expect(outcome(await state(clerk, [ruleFor('a', { credential_id })]))).toBe(forbidden);
  expect(outcome(await state(chief, [ruleFor('a', { credential_id })]))).toBe(forbidden);
  const others = [ruleFor('a', { credential_id: foreign.id })];
  expect(outcome(await state(tenantAdmin, others))).toBe(forbidden);
  // Neither may somebody with fewer rights state again what somebody with more has stated.
  result(await state(chief, [ruleFor('a', { roles: ['SuperAdmin'] })]));
  expect(outcome(await state(clerk, [ruleFor('a', { roles: ['SuperAdmin'] })]))).toBe(forbidden);
  const agent = await fixture.admin.appoint(minimalSpec);
  result(await state(tenantAdmin, [ruleFor('a', { credential_id: agent.id })]));
  const reader = await t.member('reader');
  expect(await reader.outcome('getSignInSettings', settings)).toBe(forbidden);
  const document = { expected_revision: 2, issuers: [] };
  expect(await reader.outcome('putSignInSettings', { ...settings, document })).toBe(forbidden);
});

withIssuer('OID-5, OID-9, OID-22, OID-36 pages learn what they may offer', async (t) => {
  const { chief, root, fixture } = t;
  result(await state(chief));
  const blocked = { name: 'old', issuer: 'https://old.example.test', client_id: 'x' };
  const methods = async (tenant_id?: string) => {
    const parameters = tenant_id === undefined ? {} : { tenant_id };
    return result(await fixture.transport('getSignInMethods', undefined, { parameters }));
  };
  expect(await methods('acme')).toEqual({ allows_passwords: true, issuers: ['staff'] });
  expect(await methods()).toEqual({ allows_passwords: true, issuers: [] });
  expect(await methods('nowhere')).toEqual({ allows_passwords: true, issuers: [] });
  // An administrator of the installation may state those of a tenant, too.
  const document = { expected_revision: 1, issuers: [{ ...blocked, is_blocked: true }] };
  const parameters = { tenant_id: 'acme' };
  result(await root.call('putSignInSettings', { parameters, document }));
  expect(await methods('acme')).toEqual({ allows_passwords: true, issuers: [] });
  await expect(begin(t, { issuer: 'old' })).rejects.toThrow('404 issuer_not_found');
  await expect(begin(t, { tenant_id: 'nowhere' })).rejects.toThrow('404 issuer_not_found');
});

withIssuer('OID-C9, OID-16 passwords are turned off, and on again', async (t) => {
  const { chief, tenantAdmin, fixture } = t;
  const ann = await t.member('ann');
  const { key } = result(await ann.call('createApiKey', { document: { name: 'laptop' } }));
  result(await state(chief, [], { allows_passwords: false }));
  const off = '403 passwords_not_allowed';
  for (const username of ['ann', 'nobody']) {
    for (const password of [PASSWORD, 'wrong']) {
      const document = { username, password, tenant_id: 'acme' };
      const inAccounts = await fixture.transport('authLogin', undefined, { document });
      expect(outcome(inAccounts)).toBe(off);
      const versioned = { contract_version: 1, ...document };
      const inPlatform = await fixture.transport('loginTenant', undefined, { document: versioned });
      expect(outcome(inPlatform)).toBe(off);
    }
  }
  expect(outcome(await ann.changePassword(PASSWORD, OTHER_PASSWORD))).toBe(off);
  expect(await ann.isAlive()).toBe(true);
  const byKey = await fixture.transport('getUser', key, { id: ann.id, parameters: {} });
  expect(outcome(byKey)).toBe('200');
  // Those of the installation go on.
  expect(await t.loginOutcome('root')).toBe('200');
  // AUD-89
  const failed = await chief.events({ event_type: 'login_failed' });
  expect(new Set(failed.map(({ metadata }) => metadata['reason']))).toEqual(
    new Set(['passwords_not_allowed']),
  );
  expect(outcome(await tenantAdmin.call('getLockout', { id: 'ann', parameters: {} }))).toBe('200');
  result(await state(tenantAdmin, [], { allows_passwords: true }));
  await t.login('ann', { tenant_id: 'acme' });
});
