/**
 * An administrator that can't manage an account tries to take its ways in: by settings, locks,
 * credentials and erasures (docs/contract/users.md#usr-53).
 */
import { expect } from 'vitest';
import { outcome, result } from '@agentkeep/contract-cases/answer';
import type { Caller, Members } from '@agentkeep/contract-cases/caller';
import { minimalSpec, spec } from '@agentkeep/contract-cases/documents';
import {
  type Party,
  PASSWORD,
  type UserFixture,
  withUsers,
} from '@agentkeep/contract-cases/user-fixture';
import { createAdmin } from '@agentkeep/core/operator';
import {
  callbackOf,
  PEOPLE_CLIENT,
  PEOPLE_ISSUER,
  peoplePorts,
} from '@agentkeep/testkit/test-sign-in';

const FORBIDDEN = '403 forbidden';
const OWN_ISSUER = { name: 'own', issuer: 'https://own.example.test', client_id: 'own' };
const STAFF = { name: 'staff', issuer: PEOPLE_ISSUER, client_id: PEOPLE_CLIENT };

async function put(by: Pick<Party, 'call'>, document: Members, parameters = {}): Promise<string> {
  const { revision } = result(await by.call('getSignInSettings', { parameters }));
  const stated = { expected_revision: revision, ...document };
  return outcome(await by.call('putSignInSettings', { parameters, document: stated }));
}

/** Makes an account that acts with a credential, in the tenant. */
async function bound(
  { fixture }: UserFixture,
  username: string,
  by: Caller,
  role?: 'Admin' | 'SuperAdmin',
): Promise<void> {
  const member = { username, password: PASSWORD, credentialId: by.id, tenantId: 'acme' };
  if (role !== undefined) await createAdmin(fixture.keep, { ...member, role });
  else {
    const document = { username, password: PASSWORD, credential_id: by.id };
    result(await fixture.admin.call('createUser', { parameters: {}, document }));
  }
}

withUsers(
  'OID-C11, OID-35 an Admin shuts nobody out that it cannot manage',
  async (t) => {
    const { chief, root, tenantAdmin } = t;
    const clerk = await t.member('clerk', { roles: ['Admin'] });
    const noPasswords = { allows_passwords: false, issuers: [OWN_ISSUER] };
    for (const by of [clerk, tenantAdmin]) {
      expect(await put(by, noPasswords)).toBe(FORBIDDEN);
      // An issuer beside passwords takes nothing away.
      expect(await put(by, { issuers: [OWN_ISSUER] })).toBe('200');
    }
    const junior = await t.person('junior', { roles: ['Admin'] });
    expect(await put(junior, noPasswords)).toBe(FORBIDDEN);
    expect(await put(junior, noPasswords, { tenant_id: 'acme' })).toBe(FORBIDDEN);
    // AUD-48
    const refusals = await chief.events({ event_type: 'permission_denied' });
    expect(refusals.map(({ metadata }) => metadata)).toContainEqual(
      expect.objectContaining({ required: 'super_admin' }),
    );
    await t.login('chief', { tenant_id: 'acme' });
    expect(await put(chief, noPasswords)).toBe('200');
    expect(await put(clerk, { issuers: [OWN_ISSUER] })).toBe('200');
    expect(await put(root, noPasswords, { tenant_id: 'acme' })).toBe('200');
  },
  peoplePorts,
);

withUsers(
  'OID-35 an issuer of somebody above stays as it is',
  async (t) => {
    const { chief, fixture } = t;
    const clerk = await t.member('clerk', { roles: ['Admin'] });
    const group = (value: string, members: Members = {}) => ({
      claims: [{ path: ['groups'], value }],
      ...members,
    });
    expect(await put(chief, { issuers: [{ ...STAFF, rules: [group('a')] }] })).toBe('200');
    const link = (follows_rules: boolean) =>
      chief.call('putUserLinks', {
        id: chief.id,
        parameters: {},
        document: { links: [{ issuer: PEOPLE_ISSUER, sub: 'chief', follows_rules }] },
      });
    result(await link(false));
    const ends = [
      { issuers: [OWN_ISSUER] },
      { issuers: [{ ...STAFF, is_blocked: true }] },
      { issuers: [{ ...STAFF, client_id: 'another' }] },
      { issuers: [{ ...STAFF, client_secret: 'wrong' }] },
      { issuers: [{ ...STAFF, scope: 'openid' }] },
    ];
    for (const settings of ends) expect(await put(clerk, settings)).toBe(FORBIDDEN);
    expect(await put(clerk, { issuers: [OWN_ISSUER, { ...STAFF, rules: [] }] })).toBe('200');
    const document = { tenant_id: 'acme', issuer: 'staff', redirect_uri: 'https://x.test/back' };
    const begun = result(await fixture.transport('beginSignIn', undefined, { document }));
    const callback = callbackOf(begun.authorization_url, { sub: 'chief' });
    const completed = { attempt: begun.attempt, callback };
    const answer = await fixture.transport('completeSignIn', undefined, { document: completed });
    expect(result(answer).user_id).toBe(chief.id);
    // Rules would demote, or refuse, who follows them.
    result(await link(true));
    expect(await put(clerk, { issuers: [{ ...STAFF, rules: [group('b')] }] })).toBe(FORBIDDEN);
    expect(await put(clerk, { issuers: [{ ...STAFF, username_claim: ['sub'] }] })).toBe('200');
  },
  peoplePorts,
);

withUsers('OID-35 a tenant without anybody above may turn passwords off', async (t) => {
  const { fixture, root } = t;
  await fixture.foreignAdmin('small').then(async (admin) => {
    expect(await put(admin, { allows_passwords: false, issuers: [OWN_ISSUER] })).toBe('200');
    expect(await put(root, { issuers: [] }, { tenant_id: 'small' })).toBe('200');
  });
});

withUsers('LCK-35 a role does not lock whom only a credential manages', async (t) => {
  const { fixture, tenantAdmin } = t;
  const clerk = await t.member('clerk', { roles: ['Admin'] });
  await bound(t, 'issuer', fixture.admin);
  await bound(t, 'reader', await fixture.admin.appoint(minimalSpec));
  const lock = (by: Party, id: string) =>
    by.outcome('lockAccount', { id, parameters: {}, document: {} });
  expect(await lock(clerk, 'issuer')).toBe(FORBIDDEN);
  expect(await lock(clerk, 'chief')).toBe(FORBIDDEN);
  expect(await lock(tenantAdmin, 'chief')).toBe(FORBIDDEN);
  expect(await lock(clerk, 'reader')).toBe('200');
  expect(await lock(tenantAdmin, 'issuer')).toBe('200');
  expect(await clerk.outcome('unlockAccount', { id: 'issuer', parameters: {} })).toBe(FORBIDDEN);
});

withUsers('USR-53 a revocation ends the credential of somebody above, and no role', async (t) => {
  const { admin, keep } = t.fixture;
  const held = await admin.appoint(minimalSpec);
  await bound(t, 'boss', held, 'SuperAdmin');
  const boss = await t.login('boss', { tenant_id: 'acme' });
  const { key } = result(await boss.call('createApiKey', { document: { name: 'k' } }));
  expect(outcome(await admin.revoke(held.id, 1))).toBe('200');
  // CON-46, CON-47
  for (const proof of [boss.token, key]) {
    expect(outcome(await t.fixture.transport('listUsers', proof, { parameters: {} }))).toBe(
      '401 unauthorized',
    );
  }
  await expect(t.login('boss', { tenant_id: 'acme' })).rejects.toThrow('401 invalid_login');
  // Whoever acts with no credential goes on, and makes the account that is needed.
  const chief = await t.login('chief', { tenant_id: 'acme' });
  const document = { username: 'boss2', password: PASSWORD, roles: ['SuperAdmin'] };
  expect(await chief.outcome('createUser', { parameters: {}, document })).toBe('201');
  // So does the operator, under another name.
  const again = { password: PASSWORD, tenantId: 'acme', role: 'SuperAdmin' } as const;
  await expect(createAdmin(keep, { ...again, username: 'boss' })).rejects.toThrow();
  await createAdmin(keep, { ...again, username: 'boss3' });
  expect(await (await t.login('boss3', { tenant_id: 'acme' })).outcome('listUsers')).toBe('200');
});

withUsers('ERA-28, USR-53 the subject of somebody above is not erased', async (t) => {
  const { fixture } = t;
  const { admin } = fixture;
  const rights = { capabilities: ['memory_read', 'credential_admin'] };
  const held = await admin.appoint(spec({ subject_id: 'boss', ...rights }));
  const deputy = await admin.appoint(spec({ subject_id: 'deputy', ...rights }));
  await bound(t, 'boss', held, 'SuperAdmin');
  const erase = (by: Pick<Party, 'call'>, subject_id: string) =>
    by.call('startErasure', {
      document: { contract_version: 1, target: { kind: 'subject', subject_id } },
    });
  expect(outcome(await erase(deputy, 'boss'))).toBe(FORBIDDEN);
  // A secret that leaked is replaced instead, and the account goes on.
  const rotation = { id: held.id, document: { contract_version: 1, expected_revision: 1 } };
  result(await deputy.call('rotateCredential', rotation));
  const boss = await t.login('boss', { tenant_id: 'acme' });
  // Others end as before, and so does its own.
  const spare = await admin.appoint(minimalSpec);
  expect(outcome(await deputy.revoke(spare.id, 1))).toBe('200');
  expect(outcome(await erase(deputy, 'somebody'))).toBe('201');
  const own = { id: held.id, document: { contract_version: 1, expected_revision: 2 } };
  expect(await boss.outcome('revokeCredential', own)).toBe('200');
});
