/** Roles, and their effect on sessions (docs/contract/users.md). */
import { expect } from 'vitest';
import { outcome, refused, result } from '../harness/answer.js';
import { PASSWORD, type Party, type UserFixture, withUsers } from './user-fixture.js';

const lastAdmin = '409 last_admin';

withUsers('USR-C35, CON-86 the last active SuperAdmin of the installation stays', async (users) => {
  const { root } = users;
  const attempts = () => [
    root.setRoles(root.id, ['Admin']),
    root.update(root.id, { roles: [] }),
    root.update(root.id, { is_active: false }),
    root.delete(root.id),
  ];
  for (const attempt of attempts()) expect(outcome(await attempt)).toBe(lastAdmin);
  expect(result(await root.get(root.id))).toMatchObject({
    roles: ['SuperAdmin'],
    is_active: true,
  });

  // An inactive one does not count.
  const deputy = await users.person('deputy', { roles: ['SuperAdmin'] });
  result(await root.update(deputy.id, { is_active: false }));
  for (const attempt of attempts()) expect(outcome(await attempt)).toBe(lastAdmin);
  result(await root.update(deputy.id, { is_active: true }));
  expect(outcome(await root.setRoles(root.id, ['Read']))).toBe('200');
  const again = await users.login('deputy');
  expect(outcome(await again.delete(deputy.id))).toBe(lastAdmin);
});

withUsers('USR-C35 a tenant may be left without a SuperAdmin', async ({ chief, root }) => {
  expect(outcome(await chief.setRoles(chief.id, ['Read']))).toBe('200');
  expect(result(await root.list({ tenant_id: 'acme' })).users[0]?.roles).toEqual(['Read']);
});

type Demotion = (party: Party) => Promise<{ status: number; body: unknown }>;

const demotions: Readonly<Record<string, Demotion>> = {
  'set roles': (party) => party.setRoles(party.id, ['Read']),
  update: (party) => party.update(party.id, { roles: [] }),
  deactivation: (party) => party.update(party.id, { is_active: false }),
  deletion: (party) => party.delete(party.id),
};

for (const [name, demote] of Object.entries(demotions)) {
  withUsers(`USR-C35 of two parallel demotions one is refused: ${name}`, async (users) => {
    const { root } = users;
    const deputy = await users.person('deputy', { roles: ['SuperAdmin'] });
    const answers = await Promise.all([demote(root), demote(deputy)]);
    expect(answers.map(outcome).sort()).toEqual(['200', lastAdmin]);
  });
}

withUsers('USR-C35 administrators that demote each other leave one', async (users: UserFixture) => {
  const { root } = users;
  const deputy = await users.person('deputy', { roles: ['SuperAdmin'] });
  const answers = await Promise.all([
    root.setRoles(deputy.id, ['Read']),
    deputy.setRoles(root.id, ['Read']),
  ]);
  const [done, other] = answers.map(outcome).sort();
  expect(done).toBe('200');
  // The account demoted first is refused: its session ends before its own change is decided. If
  // it was authenticated before, no one is left for it to demote.
  expect([refused.unauthorized, lastAdmin]).toContain(other);
});

withUsers(
  'USR-12, CON-62, SES-97 a change of roles ends sessions, and applies at once',
  async (users) => {
    const { root } = users;
    const ann = await users.person('ann');
    const user = result(await root.setRoles(ann.id, ['Admin', 'Read']));
    expect(user.roles).toEqual(['Admin', 'Read']);
    expect(await ann.isAlive()).toBe(false);
    const admin = await users.login('ann');
    expect(await admin.usernames()).toEqual(['ann', 'root']);
  },
);

withUsers('USR-26 the same set of roles changes nothing', async (users) => {
  const { root, fixture } = users;
  const ann = await users.person('ann', { roles: ['Read', 'Write'] });
  const before = result(await root.get(ann.id));
  fixture.clock.advance(1_000);
  expect(result(await root.setRoles(ann.id, ['Write', 'Read']))).toEqual(before);
  expect(result(await root.update(ann.id, { roles: ['Write', 'Read'] }))).toEqual(before);
  expect(await ann.isAlive()).toBe(true);
  const types = (await root.events()).map(({ event_type: type }) => type);
  expect(types.filter((type) => type.startsWith('role_') || type === 'user_updated')).toEqual([]);
});

withUsers(
  "roles are set by administrators only, and administrators' roles by a SuperAdmin",
  async (users) => {
    const { root } = users;
    const ann = await users.person('ann');
    const boss = await users.person('boss', { roles: ['Admin'] });
    expect(outcome(await ann.setRoles(ann.id, ['Admin']))).toBe(refused.forbidden);
    expect(outcome(await boss.setRoles(ann.id, ['Write']))).toBe('200');
    expect(outcome(await boss.setRoles(ann.id, ['Admin']))).toBe(refused.forbidden);
    expect(outcome(await boss.setRoles(boss.id, ['SuperAdmin']))).toBe(refused.forbidden);
    expect(outcome(await boss.setRoles(boss.id, []))).toBe(refused.forbidden);
    for (const roles of [undefined, null, 'Read', ['a', 'a'], ['-a'], [7]]) {
      expect(outcome(await root.setRoles(ann.id, roles))).toBe(refused.invalid);
    }
    expect(result(await root.get(ann.id)).roles).toEqual(['Write']);
    const document = { roles: [], password: PASSWORD };
    expect(await root.outcome('setUserRoles', { id: ann.id, document })).toBe(refused.invalid);
  },
);
