/** Inviting people (docs/contract/invitations.md). */
import { describe, expect } from 'vitest';
import { outcome, refused, result } from '../harness/answer.js';
import { OTHER_PASSWORD, PASSWORD, withUsers } from '../users/user-fixture.js';
import { accept, desk, invite, inviter } from './invitation-fixture.js';

const acme = { tenant_id: 'acme' };

withUsers(
  'INV-1, INV-2, INV-5, INV-6, INV-10 one call lets a person in, with a role in a scope',
  async (users) => {
    const { fixture, tenantAdmin } = users;
    const answer = await invite(tenantAdmin);
    expect(answer.status).toBe(201);
    const { invitation, code, path } = result(answer);
    const { user } = invitation;
    expect(user).toMatchObject({ username: 'ann@x.test', email: 'ann@x.test', is_active: true });
    expect(user).toMatchObject({ roles: ['Read'], tenant_id: 'acme', last_login: null });
    expect(invitation).toMatchObject({ role: 'reviewer', state: 'waiting' });
    expect(invitation.invited_by).toBe(tenantAdmin.id);
    const ends = fixture.clock.now() + 7 * 86_400_000;
    expect(invitation.expires_at).toBe(new Date(ends).toISOString());
    expect(path).toBe(`/invitation?code=${code}`);
    expect(result(await accept(users, code))).toEqual({
      username: 'ann@x.test',
      tenant_id: 'acme',
    });
    const ann = await users.login('ann@x.test', acme);
    const seen = result(await ann.call('whoAmI')).credential;
    expect(seen.id).toBe(user.credential_id);
    expect(seen.spec).toEqual({
      subject_id: 'ann@x.test',
      capabilities: ['memory_read', 'memory_review', 'experience_read', 'tool_read'],
      grants: [{ ...desk, mission_id: null }],
      expires_at_millis: null,
    });
    // The credential has no secret; it is the account's alone.
    expect(JSON.stringify(seen)).not.toContain('person:');
  },
);

describe('INV-5 roles are sets of capabilities', () => {
  const given: [string, string[], string[]][] = [
    ['reader', [], ['Read']],
    ['writer', ['memory_write'], ['Read', 'Write']],
    ['proposer', ['memory_propose'], ['Read']],
  ];
  for (const [role, more, roles] of given) {
    withUsers(role, async (users) => {
      const { code, invitation } = result(await invite(users.tenantAdmin, { role }));
      expect(invitation.user.roles).toEqual(roles);
      result(await accept(users, code));
      const ann = await users.login('ann@x.test', acme);
      const { capabilities } = result(await ann.call('whoAmI')).credential.spec;
      expect(new Set(capabilities)).toEqual(
        new Set(['memory_read', 'experience_read', 'tool_read', ...more]),
      );
    });
  }

  withUsers('INV-7 admin, which only a SuperAdmin with credential_admin gives', async (users) => {
    const { chief, tenantAdmin } = users;
    const admin = { role: 'admin', scopes: [] };
    expect(outcome(await invite(tenantAdmin, admin))).toBe(refused.forbidden);
    expect(outcome(await invite(chief, admin))).toBe(refused.forbidden);
    const boss = await inviter(users);
    const { code } = result(await invite(boss, admin));
    result(await accept(users, code));
    const ann = await users.login('ann@x.test', acme);
    // She has the role Admin and the capability, and so invites others.
    expect(outcome(await invite(ann, { username: 'bob' }))).toBe('201');
    expect(outcome(await invite(ann, { username: 'eve', ...admin }))).toBe(refused.forbidden);
  });
});

withUsers('INV-7 who may not issue credentials and bind them invites nobody', async (users) => {
  const { fixture, root, chief } = users;
  const reader = await users.member('reader');
  const agent = await fixture.agent();
  for (const party of [reader, chief]) {
    expect(outcome(await invite(party))).toBe(refused.forbidden);
    expect(outcome(await party.call('inviteUser', { document: {} }))).toMatch(/^(403|400)/);
  }
  expect(outcome(await invite(root, {}, acme))).toBe(refused.forbidden);
  const document = { username: 'x', role: 'reader', scopes: [desk] };
  expect(outcome(await agent.call('inviteUser', { document }))).toBe(refused.forbidden);
  expect(outcome(await invite(reader, { username: 'chief' }))).toBe(refused.forbidden);
  expect(await chief.usernames()).toEqual(['chief', 'reader']);
});

withUsers('INV-3 an invalid document changes nothing', async ({ tenantAdmin, chief }) => {
  const broken: object[] = [
    { username: '' },
    { email: 'x' },
    { role: 'owner' },
    { role: undefined },
    { scopes: [] },
    { scopes: [{ project_id: 'support' }] },
    { scopes: Array.from({ length: 65 }, (_, index) => ({ ...desk, agent_id: `a${index}` })) },
    { valid_days: 0 },
    { valid_days: 31 },
    { valid_days: 1.5 },
    { password: PASSWORD },
    { roles: ['Admin'] },
  ];
  for (const members of broken) {
    const answer = await invite(tenantAdmin, members);
    expect(outcome(answer), JSON.stringify(members)).toBe(refused.invalid);
  }
  expect(await chief.usernames()).toEqual(['chief']);
  expect(outcome(await invite(tenantAdmin, { valid_days: 30 }))).toBe('201');
});

withUsers('INV-8 a name that is taken is 409; a waiting one is invited anew', async (users) => {
  const { tenantAdmin, chief } = users;
  await users.member('bob', { email: 'bob@x.test' });
  const taken = await invite(tenantAdmin, { username: 'bob' });
  expect(outcome(taken)).toBe('409 already_exists');
  expect(JSON.stringify(taken.body)).toContain('another role or other scopes');
  expect(outcome(await invite(tenantAdmin, { username: 'b', email: 'BOB@x.test' }))).toBe(
    '409 already_exists',
  );
  const first = result(await invite(tenantAdmin));
  const again = result(await invite(tenantAdmin, { role: 'writer' }));
  expect(again.invitation.user.id).toBe(first.invitation.user.id);
  expect(again.invitation.user).toMatchObject({ roles: ['Read', 'Write'] });
  expect(again.code).not.toBe(first.code);
  expect(outcome(await accept(users, first.code))).toBe('410 invitation_ended');
  const old = first.invitation.user.credential_id ?? '';
  const seen = await tenantAdmin.call('inspectCredential', { id: old });
  expect(result(seen).credential.revoked_at_millis).not.toBeNull();
  result(await accept(users, again.code));
  expect(outcome(await invite(tenantAdmin))).toBe('409 already_exists');
  expect(await chief.usernames()).toEqual(['ann@x.test', 'bob', 'chief']);
});

withUsers('INV-15, INV-16, INV-17 waiting invitations are listed and revoked', async (users) => {
  const { tenantAdmin, fixture } = users;
  const { invitation, code } = result(await invite(tenantAdmin));
  result(await invite(tenantAdmin, { username: 'bob', valid_days: 1 }));
  fixture.clock.advance(86_400_000);
  // Sessions have ended meanwhile.
  const chief = await users.login('chief', acme);
  const listed = async () => {
    const { invitations } = result(await chief.call('listInvitations'));
    return invitations.map(({ user, state }) => `${user.username} ${state}`);
  };
  expect(await listed()).toEqual(['ann@x.test waiting', 'bob expired']);
  const { id, credential_id: credentialId } = invitation.user;
  expect(await tenantAdmin.outcome('revokeInvitation', { id })).toBe('200');
  expect(await listed()).toEqual(['ann@x.test revoked', 'bob expired']);
  expect(await tenantAdmin.outcome('revokeInvitation', { id })).toBe('404 not_found');
  expect(outcome(await accept(users, code))).toBe('410 invitation_ended');
  const user = result(await chief.get(id));
  expect(user.is_active).toBe(false);
  const seen = await tenantAdmin.call('inspectCredential', { id: credentialId });
  expect(result(seen).credential.revoked_at_millis).toBe(fixture.clock.now());
  const next = result(await invite(tenantAdmin));
  expect(next.invitation.user).toMatchObject({ id, is_active: true });
  result(await accept(users, next.code));
  expect(await listed()).toEqual(['bob expired']);
  await users.login('ann@x.test', acme);
});

withUsers('INV-15 pages of invitations', async ({ tenantAdmin, chief, root }) => {
  for (const username of ['c', 'a', 'b']) result(await invite(tenantAdmin, { username }));
  const names: string[] = [];
  let cursor: string | null = null;
  do {
    const parameters: object = { limit: 2, ...(cursor === null ? {} : { cursor }) };
    const page = result(await chief.call('listInvitations', { parameters }));
    names.push(...page.invitations.map(({ user }) => user.username));
    cursor = page.next_cursor;
  } while (cursor !== null);
  expect(names).toEqual(['c', 'a', 'b']);
  expect(result(await root.call('listInvitations', {})).invitations).toEqual([]);
  expect(await root.outcome('listInvitations', { parameters: acme })).toBe('200');
});

withUsers(
  'INV-13 a new password, a deactivation and a deletion end an invitation',
  async (users) => {
    const { tenantAdmin, chief } = users;
    const ends: [string, (id: string) => Promise<string>][] = [
      ['reset', async (id) => outcome(await tenantAdmin.reset(id, OTHER_PASSWORD))],
      ['inactive', async (id) => outcome(await tenantAdmin.update(id, { is_active: false }))],
      ['deleted', async (id) => outcome(await tenantAdmin.delete(id))],
    ];
    for (const [username, end] of ends) {
      const { invitation, code } = result(await invite(tenantAdmin, { username }));
      expect(await end(invitation.user.id)).toBe('200');
      expect(outcome(await accept(users, code)), username).toBe('410 invitation_ended');
    }
    const { invitations } = result(await chief.call('listInvitations'));
    expect(invitations.map(({ user }) => user.username)).toEqual(['inactive']);
    expect(outcome(await invite(tenantAdmin, { username: 'reset' }))).toBe('409 already_exists');
    expect(outcome(await invite(tenantAdmin, { username: 'deleted' }))).toBe('409 already_exists');
  },
);
