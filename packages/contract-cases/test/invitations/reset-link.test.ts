/** Reset links: setting a password anew by a link (docs/contract/invitations.md). */
import { expect } from 'vitest';
import { outcome, refused, result } from '../harness/answer.js';
import { countsOf, erased, ofSubject } from '../erasure/erasure-kit.js';
import { state, withIssuer } from '../openid/sign-in-fixture.js';
import { OTHER_PASSWORD, PASSWORD, type Party, withUsers } from '../users/user-fixture.js';
import { accept, invite } from './invitation-fixture.js';

const HOUR_MS = 3_600_000;
const ENDED = '410 invitation_ended';
const acme = { tenant_id: 'acme' };

/** Makes a reset link. */
const linkFor = (by: Party, id: string, document: object = {}) =>
  by.call('createResetLink', { id, parameters: {}, document });

/** Makes the account `ann` of the tenant. Returns its id. */
async function ann(by: Party): Promise<string> {
  return result(await by.create({ username: 'ann', password: PASSWORD })).id;
}

withUsers('INV-22, INV-23 a link sets a new password once and ends sessions', async (users) => {
  const { tenantAdmin } = users;
  const id = await ann(tenantAdmin);
  const before = await users.login('ann', acme);
  const link = result(await linkFor(tenantAdmin, id));
  expect(link.user).toMatchObject({ id, username: 'ann' });
  expect(link.path).toBe(`/invitation?code=${link.code}`);
  // Nothing happens before the link is used.
  expect(outcome(await before.get(id))).toBe('200');
  expect(outcome(await accept(users, link.code, 'weak'))).toBe('400 weak_password');
  const accepted = result(await accept(users, link.code, OTHER_PASSWORD));
  expect(accepted).toEqual({ username: 'ann', tenant_id: 'acme' });
  expect(outcome(await before.get(id))).toBe(refused.unauthorized);
  expect(outcome(await accept(users, link.code))).toBe(ENDED);
  const login = (password: string) =>
    users.fixture.transport('authLogin', undefined, {
      document: { username: 'ann', password, ...acme },
    });
  expect(outcome(await login(PASSWORD))).toMatch(/^401/);
  expect(outcome(await login(OTHER_PASSWORD))).toBe('200');
});

withUsers('INV-23 a link ends with its hours, at most 72', async (users) => {
  const { tenantAdmin, fixture } = users;
  const id = await ann(tenantAdmin);
  for (const valid_hours of [0, 73, 1.5, '1', null]) {
    expect(outcome(await linkFor(tenantAdmin, id, { valid_hours }))).toBe(refused.invalid);
  }
  const short = result(await linkFor(tenantAdmin, id, { valid_hours: 1 }));
  fixture.clock.advance(HOUR_MS);
  expect(outcome(await accept(users, short.code))).toBe(ENDED);
  const usual = result(await linkFor(tenantAdmin, id));
  fixture.clock.advance(24 * HOUR_MS - 1);
  expect(outcome(await accept(users, usual.code))).toBe('200');
});

withUsers('INV-24 a newer link and any change of the account end a link', async (users) => {
  const { tenantAdmin, chief } = users;
  const id = await ann(tenantAdmin);
  const made = async () => result(await linkFor(chief, id)).code;
  const first = await made();
  const second = await made();
  expect(outcome(await accept(users, first))).toBe(ENDED);
  result(await chief.setRoles(id, ['Admin']));
  expect(outcome(await accept(users, second))).toBe(ENDED);
  const third = await made();
  result(await chief.reset(id, OTHER_PASSWORD));
  expect(outcome(await accept(users, third))).toBe(ENDED);
  const fourth = await made();
  result(await chief.update(id, { is_active: false }));
  expect(outcome(await accept(users, fourth))).toBe(ENDED);
  expect(outcome(await linkFor(chief, id))).toBe('409 account_disabled');
  result(await chief.update(id, { is_active: true }));
  expect(outcome(await accept(users, fourth))).toBe(ENDED);
  const fifth = await made();
  result(await chief.delete(id));
  expect(outcome(await accept(users, fifth))).toBe(ENDED);
  expect(outcome(await linkFor(chief, id))).toBe('404 not_found');
});

withUsers('INV-11, INV-23 of uses of a link at once, one wins', async (users) => {
  const id = await ann(users.tenantAdmin);
  const { code } = result(await linkFor(users.tenantAdmin, id));
  const passwords = [OTHER_PASSWORD, `${PASSWORD}x`, `${OTHER_PASSWORD}x`];
  const answers = await Promise.all(passwords.map((each) => accept(users, code, each)));
  expect(answers.map((each) => outcome(each)).toSorted()).toEqual(['200', ENDED, ENDED]);
});

withUsers('INV-23 who may not manage an account makes no link for it', async (users) => {
  const { tenantAdmin, chief } = users;
  const id = await ann(tenantAdmin);
  const self = await users.login('ann', acme);
  expect(outcome(await linkFor(self, id))).toBe(refused.forbidden);
  const boss = result(await chief.create({ username: 'boss', password: PASSWORD }));
  result(await chief.setRoles(boss.id, ['SuperAdmin']));
  const minor = result(await chief.create({ username: 'minor', password: PASSWORD }));
  result(await chief.setRoles(minor.id, ['Admin']));
  const admin = await users.login('minor', acme);
  expect(outcome(await linkFor(admin, boss.id))).toBe(refused.forbidden);
  expect(outcome(await linkFor(admin, id))).toBe('201');
});

withUsers('INV-24 an invited person can use either link', async (users) => {
  const { tenantAdmin } = users;
  const { code, invitation } = result(await invite(tenantAdmin));
  const link = result(await linkFor(tenantAdmin, invitation.user.id));
  expect(outcome(await accept(users, link.code))).toBe('200');
  expect(outcome(await accept(users, code))).toBe(ENDED);
  expect(result(await tenantAdmin.call('listInvitations', { parameters: {} })).invitations).toEqual(
    [],
  );
});

withUsers('INV-25 events name who made and who used a link', async (users) => {
  const { tenantAdmin, chief } = users;
  const id = await ann(tenantAdmin);
  const { code } = result(await linkFor(tenantAdmin, id));
  result(await accept(users, code, OTHER_PASSWORD));
  const events = (await chief.events()).filter(({ resource }) => resource === `user:${id}`);
  const shown = events.map(({ event_type, user_id, metadata }) => ({
    event_type,
    user_id,
    reset_link: metadata['reset_link'],
  }));
  expect(shown.slice(1)).toEqual([
    { event_type: 'user_updated', user_id: tenantAdmin.id, reset_link: 'created' },
    { event_type: 'user_password_changed', user_id: id, reset_link: 'used' },
  ]);
  expect(JSON.stringify(await chief.events())).not.toContain(code);
});

withUsers('INV-24 an erasure of the person erases the link', async (users) => {
  const { tenantAdmin } = users;
  const invited = result(await invite(tenantAdmin));
  result(await accept(users, invited.code));
  const { code } = result(await linkFor(tenantAdmin, invited.invitation.user.id));
  const made = await erased(users.fixture, ofSubject('ann@x.test'));
  expect(countsOf(made)).toMatchObject({ accounts: 1, resetLinks: 1 });
  expect(outcome(await accept(users, code))).toBe(ENDED);
});

withIssuer('INV-24 without passwords, no link is made or used', async (users) => {
  const { chief } = users;
  const id = await ann(chief);
  const { code } = result(await linkFor(chief, id));
  result(await state(chief, [], { allows_passwords: false }));
  expect(outcome(await linkFor(chief, id))).toBe('403 passwords_not_allowed');
  expect(outcome(await accept(users, code))).toBe('403 passwords_not_allowed');
});
