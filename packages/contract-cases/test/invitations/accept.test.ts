/** Accepting an invitation (docs/contract/invitations.md). */
import { expect } from 'vitest';
import { outcome, refused, result } from '../harness/answer.js';
import { countsOf, erased, ofSubject } from '../erasure/erasure-kit.js';
import { state, withIssuer } from '../openid/sign-in-fixture.js';
import { OTHER_PASSWORD, PASSWORD, withUsers } from '../users/user-fixture.js';
import { accept, desk, invite } from './invitation-fixture.js';

const DAY_MS = 86_400_000;
const ENDED = '410 invitation_ended';
const acme = { tenant_id: 'acme' };

withUsers('INV-10, INV-11 a code sets a password once, within its days', async (users) => {
  const { tenantAdmin, fixture } = users;
  const { code } = result(await invite(tenantAdmin));
  expect(outcome(await accept(users, code, 'weak'))).toBe('400 weak_password');
  result(await accept(users, code));
  expect(outcome(await accept(users, code, OTHER_PASSWORD))).toBe(ENDED);
  await users.login('ann@x.test', acme);
  const late = result(await invite(tenantAdmin, { username: 'bob', valid_days: 2 }));
  fixture.clock.advance(2 * DAY_MS - 1);
  const last = result(await invite(tenantAdmin, { username: 'carl', valid_days: 1 }));
  fixture.clock.advance(1);
  expect(outcome(await accept(users, late.code))).toBe(ENDED);
  expect(outcome(await accept(users, last.code))).toBe('200');
});

withUsers('INV-11 of acceptances at once, one wins', async (users) => {
  const { code } = result(await invite(users.tenantAdmin));
  const passwords = [PASSWORD, OTHER_PASSWORD, `${PASSWORD}x`, `${OTHER_PASSWORD}x`];
  const answers = await Promise.all(passwords.map((each) => accept(users, code, each)));
  const outcomes = answers.map((each) => outcome(each));
  expect(outcomes.toSorted()).toEqual(['200', ENDED, ENDED, ENDED]);
  const winner = passwords[outcomes.indexOf('200')];
  const document = { username: 'ann@x.test', password: winner, ...acme };
  const login = await users.fixture.transport('authLogin', undefined, { document });
  expect(outcome(login)).toBe('200');
});

withUsers(
  'INV-12, CON-195 guesses, other secrets and foreign codes get one answer',
  async (users) => {
    const { tenantAdmin } = users;
    const { code, invitation } = result(await invite(tenantAdmin));
    const [kind = '', id = '', random = ''] = code.split('_');
    const guesses = [
      '',
      'x',
      `${kind}_${id}_${'A'.repeat(43)}`,
      `${kind}_${'0'.repeat(32)}_${random}`,
      `${kind}_${invitation.invited_by.replaceAll('-', '')}_${random}`,
      `ak1_${id}_${random}`,
      tenantAdmin.token,
      ` ${code}`,
    ];
    const bodies = new Set<string>();
    for (const guess of guesses) {
      const answer = await accept(users, guess);
      expect(outcome(answer), guess).toBe(ENDED);
      bodies.add(JSON.stringify(answer.body));
    }
    expect(bodies.size).toBe(1);
    for (const wrong of ['x'.repeat(129), 7, null]) {
      const document = { code: wrong, password: PASSWORD };
      const answer = await users.fixture.transport('acceptInvitation', undefined, { document });
      expect(outcome(answer)).toBe(refused.invalid);
    }
    // A code proves nothing else.
    expect(outcome(await tenantAdminWith(users, code))).toBe(refused.unauthorized);
    expect(outcome(await accept(users, code))).toBe('200');
  },
);

function tenantAdminWith(
  { fixture }: Parameters<Parameters<typeof withUsers>[1]>[0],
  token: string,
) {
  return fixture.transport('whoAmI', token, {});
}

withIssuer('INV-9 without passwords, inviting and accepting are refused', async (users) => {
  const { tenantAdmin } = users;
  const { code } = result(await invite(tenantAdmin));
  result(await state(users.chief, [], { allows_passwords: false }));
  expect(outcome(await invite(tenantAdmin, { username: 'bob' }))).toBe('403 passwords_not_allowed');
  expect(outcome(await accept(users, code))).toBe('403 passwords_not_allowed');
});

withUsers('INV-18 events name who invited and who accepted', async (users) => {
  const { tenantAdmin, chief } = users;
  const { code, invitation } = result(await invite(tenantAdmin));
  const { id } = invitation.user;
  result(await accept(users, code));
  const events = (await chief.events()).filter(({ resource }) => resource === `user:${id}`);
  const shown = events.map(({ event_type, user_id, metadata }) => ({
    event_type,
    user_id,
    invitation: metadata['invitation'],
  }));
  expect(shown).toEqual([
    { event_type: 'user_created', user_id: tenantAdmin.id, invitation: undefined },
    { event_type: 'user_updated', user_id: tenantAdmin.id, invitation: 'sent' },
    { event_type: 'user_password_changed', user_id: id, invitation: 'accepted' },
  ]);
  expect(JSON.stringify(await chief.events())).not.toContain(code);
});

withUsers('INV-10 an acceptance ends a lock that failures caused', async (users) => {
  const { code } = result(await invite(users.tenantAdmin));
  const document = { username: 'ann@x.test', password: OTHER_PASSWORD, ...acme };
  for (let turn = 0; turn < 5; turn += 1) {
    await users.fixture.transport('authLogin', undefined, { document });
  }
  const login = { ...document, password: PASSWORD };
  const locked = await users.fixture.transport('authLogin', undefined, { document: login });
  expect(outcome(locked)).toMatch(/^429/);
  result(await accept(users, code));
  await users.login('ann@x.test', acme);
});

withUsers('INV-14 what an erased person was invited to is gone', async (users) => {
  const { tenantAdmin } = users;
  const { code } = result(await invite(tenantAdmin));
  const made = await erased(users.fixture, ofSubject('ann@x.test'));
  expect(countsOf(made)).toMatchObject({ accounts: 1, invitations: 1 });
  expect(outcome(await accept(users, code))).toBe(ENDED);
  expect(outcome(await invite(tenantAdmin, { scopes: [desk] }))).toBe('403 subject_erased');
});
