/** Updating accounts, and rights over others and oneself (docs/contract/users.md). */
import { expect } from 'vitest';
import { outcome, refused, result } from '../harness/answer.js';
import { unknownId } from '../harness/documents.js';
import { OTHER_PASSWORD, PASSWORD, withUsers } from './user-fixture.js';

withUsers(
  'USR-19, USR-24, USR-25, CON-61 an account changes its own address and nothing else',
  async (users) => {
    const { fixture } = users;
    const reader = await users.person('reader');
    fixture.clock.advance(1_000);
    const changed = result(await reader.update(reader.id, { email: 'r@x.test' }));
    expect(changed.email).toBe('r@x.test');
    expect(changed.updated_at).toBe(new Date(fixture.clock.now()).toISOString());
    expect(changed.updated_at > changed.created_at).toBe(true);
    expect(result(await reader.update(reader.id, {}))).toEqual(changed);
    expect(result(await reader.update(reader.id, { email: null })).email).toBeNull();
  },
);

withUsers(
  'USR-C33, CON-114 a member that needs a missing right refuses the whole request',
  async (users) => {
    const { root } = users;
    const reader = await users.person('reader');
    const before = result(await reader.get(reader.id));
    const refusals = [
      { roles: ['Admin'] },
      { roles: ['Read'] },
      { is_active: true },
      { password: OTHER_PASSWORD },
      { password: PASSWORD },
    ];
    for (const members of refusals) {
      const answer = await reader.update(reader.id, { ...members, email: 'r@x.test' });
      expect(outcome(answer), JSON.stringify(members)).toBe(refused.forbidden);
    }
    expect(result(await reader.get(reader.id))).toEqual(before);

    const boss = await users.person('boss', { roles: ['Admin'] });
    expect(result(await boss.update(reader.id, { roles: ['Write', 'Read'] })).roles).toEqual([
      'Write',
      'Read',
    ]);
    expect(result(await root.get(reader.id)).roles).toEqual(['Write', 'Read']);
    // An administrator does not manage itself unless it may manage administrators.
    const own = { roles: ['Admin', 'Read'], email: 'boss@x.test' };
    expect(outcome(await boss.update(boss.id, own))).toBe(refused.forbidden);
    expect(outcome(await boss.update(boss.id, { password: OTHER_PASSWORD }))).toBe(
      refused.forbidden,
    );
    expect(outcome(await boss.update(boss.id, { is_active: false }))).toBe(refused.forbidden);
    expect(result(await boss.get(boss.id)).email).toBeNull();
    expect(result(await boss.update(boss.id, { email: 'boss@x.test' })).email).toBe('boss@x.test');
  },
);

withUsers('all members of a change apply, or none', async (users) => {
  const { root } = users;
  const reader = await users.person('reader');
  result(await root.create({ username: 'x', password: PASSWORD, email: 'x@x.test' }));
  const before = result(await root.get(reader.id));
  const members = { password: OTHER_PASSWORD, roles: ['A'], is_active: false };
  for (const [broken, refusal] of [
    [{ email: 'X@x.test' }, '409 already_exists'],
    [{ email: 'x' }, refused.invalid],
    [{ username: 'y' }, refused.invalid],
    [{ password: 'weak' }, '400 weak_password'],
  ] as const) {
    expect(outcome(await root.update(reader.id, { ...members, ...broken }))).toBe(refusal);
    expect(result(await root.get(reader.id))).toEqual(before);
    expect(await reader.isAlive()).toBe(true);
  }
  const after = result(await root.update(reader.id, { ...members, email: 'r@x.test' }));
  expect(after).toMatchObject({ email: 'r@x.test', roles: ['A'], is_active: false });
  expect(await reader.isAlive()).toBe(false);
  expect(await users.loginOutcome('reader', OTHER_PASSWORD)).toBe('401 invalid_login');
  expect(result(await root.update(reader.id, { is_active: true })).is_active).toBe(true);
  expect(await users.loginOutcome('reader', OTHER_PASSWORD)).toBe('200');
});

withUsers('CON-148 an account may keep its own address, in another spelling too', async (users) => {
  const { root } = users;
  const { id } = result(
    await root.create({ username: 'ann', password: PASSWORD, email: 'ann@x.test' }),
  );
  expect(result(await root.update(id, { email: 'ANN@x.test' })).email).toBe('ANN@x.test');
  result(await root.update(id, { email: null }));
  const other = { username: 'bob', password: PASSWORD, email: 'ann@X.test' };
  expect(outcome(await root.create(other))).toBe('201');
});

withUsers(
  'USR-C23, CON-45, SES-97 proofs of a deactivated account are refused at once',
  async (users) => {
    const { root } = users;
    const reader = await users.person('reader');
    expect(result(await root.update(reader.id, { is_active: true })).is_active).toBe(true);
    expect(await reader.isAlive()).toBe(true);
    result(await root.update(reader.id, { is_active: false }));
    expect(await reader.isAlive()).toBe(false);
    result(await root.update(reader.id, { is_active: true }));
    expect(await reader.isAlive()).toBe(false);
    expect(await (await users.login('reader')).isAlive()).toBe(true);
  },
);

withUsers(
  'USR-17 an Admin manages neither administrators nor accounts with greater authority',
  async (t) => {
    const { root, chief, tenantAdmin, fixture } = t;
    const boss = await t.person('boss', { roles: ['Admin'] });
    const peer = await t.person('peer', { roles: ['Admin'] });
    for (const { id } of [root, peer]) {
      expect(outcome(await boss.update(id, {}))).toBe(refused.forbidden);
      expect(outcome(await boss.update(id, { email: null }))).toBe(refused.forbidden);
      expect(outcome(await boss.setRoles(id, []))).toBe(refused.forbidden);
      expect(outcome(await boss.reset(id, OTHER_PASSWORD))).toBe(refused.forbidden);
      expect(outcome(await boss.delete(id))).toBe(refused.forbidden);
    }
    expect(outcome(await root.update(peer.id, { roles: [] }))).toBe('200');

    const clerk = { username: 'clerk', password: PASSWORD, credential_id: tenantAdmin.id };
    const { id } = result(await tenantAdmin.create(clerk));
    const local = await t.member('local', { roles: ['Admin'] });
    for (const party of [local, boss]) {
      const parameters = { tenant_id: 'acme' };
      const change = await party.update(id, { password: OTHER_PASSWORD }, parameters);
      expect(outcome(change)).toBe(refused.forbidden);
      expect(outcome(await party.delete(id, parameters))).toBe(refused.forbidden);
      expect(outcome(await party.get(id, parameters))).toBe('200');
    }
    for (const party of [tenantAdmin, chief]) {
      expect(outcome(await party.update(id, { password: OTHER_PASSWORD }))).toBe('200');
    }
    // The credential has the rights of an Admin only.
    expect(outcome(await tenantAdmin.update(local.id, {}))).toBe(refused.forbidden);
    expect(outcome(await tenantAdmin.update(chief.id, {}))).toBe(refused.forbidden);

    const agent = await fixture.agent();
    const bound = { username: 'robot', password: PASSWORD, credential_id: agent.id };
    const robot = result(await tenantAdmin.create(bound));
    expect(outcome(await local.update(robot.id, { is_active: false }))).toBe('200');
  },
);

withUsers('USR-50, SES-28, SES-30 checks of an update come in order', async (users) => {
  const { root, chief } = users;
  const boss = await users.person('boss', { roles: ['Admin'] });
  const reader = await users.person('reader');
  const stray = { username: 'x' };
  expect(outcome(await reader.update('x', stray, { tenant_id: 'no' }))).toBe(refused.invalid);
  expect(outcome(await chief.update('x', stray, { tenant_id: 'no' }))).toBe(refused.invalid);
  expect(outcome(await chief.update(unknownId, stray, { tenant_id: 'no' }))).toBe(
    refused.forbidden,
  );
  expect(outcome(await boss.update(unknownId, stray, { tenant_id: 'no' }))).toBe(
    '404 tenant_not_found',
  );
  expect(outcome(await boss.update(root.id, stray))).toBe(refused.invalid);
  expect(outcome(await boss.update(root.id, { password: 'weak' }))).toBe('400 weak_password');
  expect(outcome(await boss.update(unknownId, { roles: ['Admin'] }))).toBe(refused.forbidden);
  expect(outcome(await boss.update(unknownId, { roles: ['A'] }))).toBe('404 not_found');
  expect(outcome(await reader.update(unknownId, stray))).toBe(refused.invalid);
  expect(outcome(await reader.update(unknownId, {}))).toBe(refused.forbidden);
  for (const document of [{ email: 7 }, { roles: ['a', 'a'] }, { is_active: null }, [], 'x']) {
    expect(outcome(await root.update(reader.id, document))).toBe(refused.invalid);
  }
});
