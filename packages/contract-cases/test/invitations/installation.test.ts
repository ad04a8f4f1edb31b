/** Inviting people of the installation (docs/contract/invitations.md). */
import { expect } from 'vitest';
import { outcome, refused, result } from '../harness/answer.js';
import { withUsers } from '../users/user-fixture.js';
import { accept, desk } from './invitation-fixture.js';

const ann = { username: 'ann', role: 'admin' };

withUsers('INV-4, INV-7 the master invites an administrator who invites others', async (users) => {
  const { fixture, root } = users;
  const master = await fixture.master();
  const invite = (document: object) => master.call('inviteUser', { document });
  const { code, invitation } = result(await invite(ann));
  expect(invitation.user).toMatchObject({ roles: ['SuperAdmin'], tenant_id: null });
  expect(result(await accept(users, code))).toEqual({ username: 'ann', tenant_id: null });
  const party = await users.login('ann');
  const { credential } = result(await party.call('globalIdentity'));
  expect(credential).toMatchObject({ is_master: false, spec: { subject_id: 'ann' } });
  expect(credential.spec.capabilities).toHaveLength(4);
  const tenants = await party.outcome('listTenants', { parameters: { contract_version: 1 } });
  expect(tenants).toBe('200');
  const reader = { username: 'bob', role: 'reader' };
  const second = result(await party.call('inviteUser', { document: reader }));
  expect(second.invitation.user.roles).toEqual(['Read']);
  result(await accept(users, second.code));
  const bob = await users.login('bob');
  expect(result(await bob.call('globalIdentity')).credential.spec.capabilities).toEqual([
    'tenant_inspect',
  ]);
  expect(outcome(await bob.call('inviteUser', { document: reader }))).toBe(refused.forbidden);
  // An administrator without a credential gives none.
  expect(outcome(await root.call('inviteUser', { document: reader }))).toBe(refused.forbidden);
});

withUsers('INV-3, INV-4 roles and scopes of tenants are refused', async ({ fixture }) => {
  const master = await fixture.master();
  for (const document of [
    { ...ann, role: 'writer' },
    { ...ann, role: 'reviewer' },
    { ...ann, scopes: [desk] },
  ]) {
    expect(outcome(await master.call('inviteUser', { document }))).toBe(refused.invalid);
  }
});

withUsers('INV-7 the master invites to a tenant that it names', async (users) => {
  const master = await users.fixture.master();
  const document = { username: 'ann', role: 'admin' };
  const parameters = { tenant_id: 'acme' };
  const { code } = result(await master.call('inviteUser', { document, parameters }));
  expect(result(await accept(users, code)).tenant_id).toBe('acme');
  const party = await users.login('ann', parameters);
  expect(result(await party.call('whoAmI')).credential.spec.capabilities).toContain(
    'credential_admin',
  );
});

withUsers('INV-16 a revocation ends the credential of the installation', async (users) => {
  const master = await users.fixture.master();
  const { invitation } = result(await master.call('inviteUser', { document: ann }));
  const { id, credential_id: credentialId } = invitation.user;
  result(await master.call('revokeInvitation', { id }));
  const seen = await master.call('inspectGlobalCredential', { id: credentialId });
  expect(result(seen).credential.revoked_at_millis).not.toBeNull();
});
