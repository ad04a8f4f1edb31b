/** Audit events of accounts (docs/contract/audit.md#aud-41). */
import { expect } from 'vitest';
import { outcome, result } from '../harness/answer.js';
import { eachCounted } from './counted-events.js';
import { OTHER_PASSWORD, PASSWORD, withUsers } from '../users/user-fixture.js';

withUsers('AUD-41 creating an account is an event', async ({ root }) => {
  const document = { username: 'ann', password: PASSWORD, email: 'a@x.test', roles: ['b', 'a'] };
  const { id } = result(await root.create(document));
  const made = await root.events({ event_type: 'user_created', user_id: root.id });
  expect(made).toMatchObject([
    { username: 'root', resource: `user:${id}`, result: 'success', tenant_id: null },
  ]);
  expect(made[0]?.metadata).toMatchObject({
    new_username: 'ann',
    new_email: 'a@x.test',
    roles: ['b', 'a'],
  });
});

// AUD-42, AUD-80
withUsers(
  'a refused request for an account is recorded, unless a right was missing',
  async (users) => {
    const { root } = users;
    const ann = await users.person('ann');
    const requests: [document: unknown, name: string | null, code: string][] = [
      [{ username: 'root', password: PASSWORD }, 'root', 'already_exists'],
      [{ username: 'bob', password: 'weak' }, 'bob', 'weak_password'],
      [{ username: 'bob' }, 'bob', 'invalid_request'],
      [{ username: 'a\nb', password: PASSWORD }, 'a\\u000ab', 'invalid_request'],
      [{ username: '', password: PASSWORD }, '', 'invalid_request'],
      [{ username: 'é'.repeat(300), password: PASSWORD }, 'é'.repeat(256), 'invalid_request'],
      [
        { username: `${'x'.repeat(253)}\n`, password: PASSWORD },
        'x'.repeat(253),
        'invalid_request',
      ],
      [{ username: 7, password: PASSWORD }, null, 'invalid_request'],
      [[], null, 'invalid_request'],
      [undefined, null, 'invalid_request'],
    ];
    for (const [document] of requests) expect((await root.create(document)).status).not.toBe(201);
    await ann.create({ username: 'bob', password: 'weak' });
    await root.create({ username: 'bob', password: PASSWORD }, { tenant_id: 'nobody' });
    const refusals = await root.events({ event_type: 'user_created', result: 'failure' });
    expect(new Set(refusals.map(({ resource }) => resource))).toEqual(new Set(['user:unknown']));
    const told = eachCounted(refusals).map(({ metadata }) => metadata);
    expect(told.map((metadata) => [metadata['attempted_username'], metadata['error']])).toEqual(
      requests.map(([, name, code]) => [name, code]),
    );
    for (const { user_id } of refusals) expect(user_id).toBe(root.id);
  },
);

// AUD-43, AUD-45, AUD-46, AUD-47
withUsers('each change is recorded once, with the members it touched', async (users) => {
  const { root } = users;
  const { id } = result(await root.create({ username: 'ann', password: PASSWORD }));
  const changes: [members: object, told: Record<string, object>][] = [
    [{}, {}],
    [{ email: null, is_active: true, roles: ['Read'] }, {}],
    [{ email: 'a@x.test' }, { user_updated: { email_changed: true } }],
    [
      { email: 'A@x.test', is_active: false },
      { user_updated: { email_changed: true, is_active: false } },
    ],
    [{ is_active: true, email: 'A@x.test' }, { user_updated: { is_active: true } }],
    [
      { roles: ['Read', 'Write'] },
      { role_assigned: { old_roles: ['Read'], new_roles: ['Read', 'Write'] } },
    ],
    [
      { roles: ['Write'] },
      { role_removed: { old_roles: ['Read', 'Write'], new_roles: ['Write'] } },
    ],
    [
      { roles: ['Read'], email: null, password: OTHER_PASSWORD },
      {
        user_password_changed: { password_changed: true, self: false, email_changed: true },
        role_assigned: { target_username: 'ann', old_roles: ['Write'], new_roles: ['Read'] },
        role_removed: { target_username: 'ann', old_roles: ['Write'], new_roles: ['Read'] },
      },
    ],
  ];
  let known = (await root.events()).map(({ event_id }) => event_id);
  for (const [members, told] of changes) {
    expect(outcome(await root.update(id, members))).toBe('200');
    const all = await root.events();
    const fresh = all.filter(
      ({ event_id, resource }) => !known.includes(event_id) && resource === `user:${id}`,
    );
    known = all.map(({ event_id }) => event_id);
    expect(fresh.map(({ event_type }) => event_type)).toEqual(Object.keys(told));
    for (const { event_type, action, metadata, result: ended, user_id } of fresh) {
      expect({ action, ended, user_id }).toEqual({
        action: event_type,
        ended: 'success',
        user_id: root.id,
      });
      expect(metadata).toMatchObject({ principal: 'account', ...told[event_type] });
      const more = ['principal', 'request_id', 'target_username'];
      const names = Object.keys(metadata).filter((name) => !more.includes(name));
      const wanted = Object.keys(told[event_type] ?? {}).filter((name) => !more.includes(name));
      expect(names.sort()).toEqual(wanted.sort());
    }
  }
});

withUsers('AUD-8, AUD-27 changes in a tenant are recorded there', async (users) => {
  const { root, chief, tenantAdmin } = users;
  const acme = { tenant_id: 'acme' };
  const { id } = result(await root.create({ username: 'ann', password: PASSWORD }, acme));
  result(await tenantAdmin.update(id, { email: 'a@x.test' }));
  const told = await chief.events({ action: 'user_created' });
  expect(told.at(-1)).toMatchObject({
    user_id: root.id,
    username: 'root',
    tenant_id: 'acme',
    resource: `user:${id}`,
  });
  const [updated] = await chief.events({ action: 'user_updated' });
  expect(updated).toMatchObject({ user_id: tenantAdmin.id, username: 'ops', tenant_id: 'acme' });
  expect(updated?.metadata['principal']).toBe('credential');
});

withUsers('AUD-48, AUD-60 a missing right is named', async (users) => {
  const { root } = users;
  const boss = await users.person('boss', { roles: ['Admin'] });
  const ann = await users.person('ann');
  const rights: [attempt: () => Promise<{ status: number }>, right: string][] = [
    [() => ann.list(), 'admin'],
    [() => ann.get(root.id), 'admin'],
    [() => ann.update(ann.id, { roles: [] }), 'admin'],
    [() => boss.update(root.id, {}), 'super_admin'],
    [() => boss.setRoles(ann.id, ['Admin']), 'super_admin'],
    [() => boss.create({ username: 'x', password: PASSWORD, roles: ['Admin'] }), 'super_admin'],
    [
      () => boss.create({ username: 'x', password: PASSWORD, credential_id: root.id }),
      'credential_admin',
    ],
  ];
  for (const [attempt] of rights) expect((await attempt()).status).toBe(403);
  const denied = await root.events({ event_type: 'permission_denied' });
  const required = eachCounted(denied).map(({ metadata }) => metadata['required']);
  expect(required.toSorted()).toEqual(rights.map(([, right]) => right).toSorted());
});

withUsers('AUD-C53 no event or response contains a password', async (users) => {
  const { root } = users;
  const secret = 'Secret-Password-9';
  const ann = await users.person('ann');
  await root.create({ username: 'eve', password: secret, stray: secret });
  await root.update(ann.id, { password: secret });
  const again = await users.login('ann', { password: secret });
  await again.changePassword(secret, `${secret}!`);
  await root.reset(ann.id, secret);
  expect(JSON.stringify(await root.events())).not.toContain(secret);
  expect(JSON.stringify(await root.events())).not.toContain('plain:');
  expect(JSON.stringify(await root.list())).not.toContain(secret);
});
