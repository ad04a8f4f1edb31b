/** Passwords of accounts (docs/contract/users.md). */
import { expect } from 'vitest';
import { outcome, refused, result } from '../harness/answer.js';
import { unknownId } from '../harness/documents.js';
import { OTHER_PASSWORD, PASSWORD, withUsers } from './user-fixture.js';

const lost = '401 invalid_login';

withUsers(
  'USR-C24, AUD-45, SES-97, USR-7 changing the own password ends every session',
  async (users) => {
    const ann = await users.person('ann');
    const twin = await users.login('ann');
    const answer = await ann.changePassword(PASSWORD, OTHER_PASSWORD);
    expect(result(answer)).toEqual({ success: true, message: expect.any(String) as string });
    expect(await ann.isAlive()).toBe(false);
    expect(await twin.isAlive()).toBe(false);
    expect(await users.loginOutcome('ann')).toBe(lost);
    expect(await users.loginOutcome('ann', OTHER_PASSWORD)).toBe('200');
    const events = await users.root.events({ event_type: 'user_password_changed' });
    expect(events).toMatchObject([
      {
        user_id: ann.id,
        username: 'ann',
        action: 'user_password_changed',
        resource: `user:${ann.id}`,
        result: 'success',
        metadata: { password_changed: true, self: true },
      },
    ]);
  },
);

withUsers('USR-C24, AUD-45, SES-97 a reset ends every session', async (users) => {
  const { root } = users;
  const ann = await users.person('ann');
  expect(result(await root.reset(ann.id, OTHER_PASSWORD)).success).toBe(true);
  expect(await ann.isAlive()).toBe(false);
  expect(await users.loginOutcome('ann')).toBe(lost);
  const again = await users.login('ann', { password: OTHER_PASSWORD });
  expect(await again.isAlive()).toBe(true);
  const [event, ...more] = await root.events({ event_type: 'user_password_changed' });
  expect(event).toMatchObject({ user_id: root.id, resource: `user:${ann.id}` });
  expect(event?.metadata).toMatchObject({ password_changed: true, self: false });
  expect(more).toEqual([]);
});

withUsers('USR-C14, USR-44, AUD-30 wrong current passwords are failed logins', async (users) => {
  const ann = await users.person('ann');
  for (let failures = 1; failures <= 5; failures += 1) {
    const answer = await ann.changePassword('wrong', OTHER_PASSWORD);
    expect(outcome(answer)).toBe(lost);
    const members = { failed_attempts: failures, remaining_attempts: 5 - failures };
    expect(answer.body).toMatchObject({ error: 'invalid_login', ...members });
    expect(Object.hasOwn(Object(answer.body) as object, 'locked')).toBe(failures === 5);
    expect(await ann.isAlive()).toBe(true);
  }
  expect(outcome(await ann.changePassword(PASSWORD, OTHER_PASSWORD))).toBe('429 account_locked');
  expect(await users.loginOutcome('ann')).toBe('429 account_locked');
  expect(await ann.isAlive()).toBe(true);
  const failed = await users.root.events({ event_type: 'login_failed' });
  expect(failed.map(({ metadata }) => metadata['failed_attempts'])).toEqual([1, 2, 3, 4, 5]);
  // A reset ends a lock caused by failures.
  result(await users.root.reset(ann.id, OTHER_PASSWORD));
  expect(await users.loginOutcome('ann', OTHER_PASSWORD)).toBe('200');
});

withUsers('USR-44 a change clears earlier failures', async (users) => {
  const ann = await users.person('ann');
  for (let failures = 1; failures <= 4; failures += 1) {
    expect(outcome(await ann.changePassword('wrong', OTHER_PASSWORD))).toBe(lost);
  }
  result(await ann.changePassword(PASSWORD, OTHER_PASSWORD));
  const again = await users.login('ann', { password: OTHER_PASSWORD });
  const answer = await again.changePassword('wrong', PASSWORD);
  expect(answer.body).toMatchObject({ failed_attempts: 1, remaining_attempts: 4 });
});

withUsers('USR-43 the same password is refused, once the old one is verified', async (users) => {
  const ann = await users.person('ann');
  expect(outcome(await ann.changePassword(PASSWORD, PASSWORD))).toBe(refused.invalid);
  expect(outcome(await ann.changePassword('wrong', PASSWORD))).toBe(lost);
  expect(await ann.isAlive()).toBe(true);
  expect(await users.loginOutcome('ann')).toBe('200');
});

withUsers('USR-38, CON-63 checks of a change come in order', async (users) => {
  const { fixture, tenantAdmin } = users;
  const ann = await users.person('ann');
  const document = { current_password: 'wrong', new_password: 'weak' };
  expect(outcome(await fixture.transport('changeOwnPassword', undefined, { document }))).toBe(
    refused.unauthorized,
  );
  expect(outcome(await tenantAdmin.changePassword('wrong', 7))).toBe(refused.forbidden);
  for (const [current, next] of [
    [undefined, OTHER_PASSWORD],
    [PASSWORD, undefined],
    [7, OTHER_PASSWORD],
    ['x'.repeat(1_025), OTHER_PASSWORD],
  ]) {
    expect(outcome(await ann.changePassword(current, next))).toBe(refused.invalid);
  }
  const stray = { ...document, user_id: ann.id };
  expect(await ann.outcome('changeOwnPassword', { document: stray })).toBe(refused.invalid);
  expect(outcome(await ann.changePassword('wrong', 'weak'))).toBe('400 weak_password');
  expect(outcome(await ann.changePassword('x'.repeat(1_024), OTHER_PASSWORD))).toBe(lost);
  const answer = await ann.changePassword('', OTHER_PASSWORD);
  expect(answer.body).toMatchObject({ error: 'invalid_login', failed_attempts: 2 });
});

withUsers('checks of a reset come in order', async (users) => {
  const { root, chief } = users;
  const ann = await users.person('ann');
  const boss = await users.person('boss', { roles: ['Admin'] });
  expect(outcome(await ann.reset('x', 7))).toBe(refused.forbidden);
  expect(outcome(await ann.reset(ann.id, OTHER_PASSWORD))).toBe(refused.forbidden);
  expect(outcome(await boss.reset('x', 7))).toBe(refused.invalid);
  expect(outcome(await boss.reset(root.id, 7))).toBe(refused.invalid);
  expect(outcome(await boss.reset(root.id, 'weak'))).toBe('400 weak_password');
  expect(outcome(await boss.reset(root.id, OTHER_PASSWORD))).toBe(refused.forbidden);
  expect(outcome(await boss.reset(unknownId, OTHER_PASSWORD))).toBe('404 not_found');
  expect(outcome(await chief.reset(ann.id, OTHER_PASSWORD))).toBe('404 not_found');
  expect(await users.loginOutcome('ann')).toBe('200');
});

withUsers('of parallel changes with one password, one succeeds', async (users) => {
  const ann = await users.person('ann');
  const answers = await Promise.all([
    ann.changePassword(PASSWORD, OTHER_PASSWORD),
    ann.changePassword(PASSWORD, `${OTHER_PASSWORD}!`),
  ]);
  expect(answers.map(outcome).sort()).toEqual(['200', lost]);
});
