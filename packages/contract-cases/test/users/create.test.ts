/** Creating accounts (docs/contract/users.md). */
import { describe, expect } from 'vitest';
import { outcome, refused, result } from '../harness/answer.js';
import { minimalSpec, unknownId } from '../harness/documents.js';
import { PASSWORD, withUsers } from './user-fixture.js';

const ann = { username: 'ann', password: PASSWORD };

withUsers(
  'USR-9, USR-13, CON-147, CON-139, CON-5 an account is shown as it is stored',
  async ({ root, fixture }) => {
    const answer = await root.create({ ...ann, email: 'Ann@x.test', roles: ['Write', 'Read'] });
    expect(answer.status).toBe(201);
    const user = result(answer);
    const now = new Date(fixture.clock.now()).toISOString();
    expect(user).toEqual({
      id: user.id,
      username: 'ann',
      email: 'Ann@x.test',
      roles: ['Write', 'Read'],
      is_active: true,
      created_at: now,
      updated_at: now,
      last_login: null,
      tenant_id: null,
      credential_id: null,
    });
    expect(user.id).toMatch(/^[\da-f]{8}-[\da-f]{4}-7/);
    expect(result(await root.get(user.id))).toEqual(user);
  },
);

withUsers(
  'USR-11, SES-65 omitted members have defaults, and the account can log in',
  async (users) => {
    const { root, fixture } = users;
    const user = result(await root.create(ann));
    expect(user).toMatchObject({ email: null, roles: ['Read'] });
    fixture.clock.advance(5_000);
    await users.login('ann');
    const seen = result(await root.get(user.id));
    expect(seen.last_login).toBe(new Date(fixture.clock.now()).toISOString());
    expect(seen.updated_at).toBe(user.updated_at);
    expect(result(await root.create({ ...ann, username: 'bob', roles: [] })).roles).toEqual([]);
  },
);

withUsers('USR-C31 a SuperAdmin makes administrators, an Admin does not', async (users) => {
  const { root } = users;
  const boss = await users.person('boss', { roles: ['Admin'] });
  expect(result(await root.get(boss.id)).roles).toEqual(['Admin']);
  expect(result(await boss.create(ann)).roles).toEqual(['Read']);
  for (const role of ['Admin', 'SuperAdmin']) {
    const refusal = await boss.create({ ...ann, username: 'eve', roles: ['Read', role] });
    expect(outcome(refusal)).toBe(refused.forbidden);
  }
  expect(await root.usernames()).toEqual(['ann', 'boss', 'root']);
});

withUsers(
  'USR-C32, USR-10, CON-148, CON-85 a taken name or address is 409',
  async ({ root, chief, tenantAdmin }) => {
    const taken = '409 already_exists';
    const first = result(await root.create({ ...ann, email: 'ann@x.test' }));
    expect(outcome(await root.create(ann))).toBe(taken);
    expect(outcome(await root.create({ ...ann, username: 'bob', email: 'ANN@X.test' }))).toBe(
      taken,
    );
    expect(result(await root.get(first.id))).toEqual(first);
    expect(await root.usernames()).toEqual(['ann', 'root']);
    // Names are exact, and each authority has its own.
    expect(outcome(await root.create({ ...ann, username: 'Ann' }))).toBe('201');
    expect(outcome(await chief.create({ ...ann, email: 'ann@x.test' }))).toBe('201');
    expect(outcome(await tenantAdmin.create({ ...ann, email: 'b@x.test' }))).toBe(taken);
    // Only ASCII letters are folded.
    const umlaut = { ...ann, username: 'ä1', email: 'ä@x.test' };
    expect(outcome(await root.create(umlaut))).toBe('201');
    expect(outcome(await root.create({ ...umlaut, username: 'ä2', email: 'Ä@x.test' }))).toBe(
      '201',
    );
  },
);

withUsers(
  'USR-C36 the name of a deleted account stays taken, its address does not',
  async (users) => {
    const { root } = users;
    const { id } = result(await root.create({ ...ann, email: 'ann@x.test' }));
    result(await root.delete(id));
    expect(outcome(await root.create(ann))).toBe('409 already_exists');
    expect(outcome(await root.create({ ...ann, username: 'b', email: 'ann@x.test' }))).toBe('201');
  },
);

describe('SES-C38 an invalid document changes nothing', () => {
  withUsers('USR-11, CON-141, CON-148, CON-78, CON-66 members', async ({ root }) => {
    const broken = [
      undefined,
      [],
      {},
      { username: 'ann' },
      { password: PASSWORD },
      { ...ann, is_active: true },
      { ...ann, tenant_id: 'acme' },
      { ...ann, username: '' },
      { ...ann, username: ' \u3000' },
      { ...ann, username: 'a\nb' },
      { ...ann, username: 'a'.repeat(257) },
      { ...ann, username: 7 },
      { ...ann, username: null },
      { ...ann, password: null },
      { ...ann, email: '' },
      { ...ann, email: 'x' },
      { ...ann, email: '@x' },
      { ...ann, email: 'x@' },
      { ...ann, email: 'a@b@c' },
      { ...ann, email: 'a b@c' },
      { ...ann, email: 'a@b\u0007' },
      { ...ann, email: `${'a'.repeat(250)}@x.te` },
      { ...ann, roles: null },
      { ...ann, roles: 'Read' },
      { ...ann, roles: ['Read', 'Read'] },
      { ...ann, roles: [''] },
      { ...ann, roles: ['1a'] },
      { ...ann, roles: ['a b'] },
      { ...ann, roles: ['ä'] },
      { ...ann, roles: ['a'.repeat(65)] },
      { ...ann, roles: Array.from({ length: 33 }, (_, index) => `r${index}`) },
      { ...ann, credential_id: 'x' },
    ];
    for (const document of broken) {
      const answer = await root.create(document);
      expect(outcome(answer), JSON.stringify(document)).toBe(refused.invalid);
      expect(answer.body).toEqual({
        error: 'invalid_request',
        message: expect.any(String) as string,
        members: expect.any(Array) as unknown[],
      });
    }
    expect(await root.usernames()).toEqual(['root']);
  });

  withUsers('parameters', async ({ root }) => {
    expect(outcome(await root.create(ann, { tenant: 'acme' }))).toBe(refused.invalid);
    expect(await root.usernames()).toEqual(['root']);
  });

  withUsers('USR-11, CON-141, CON-148 bounds are allowed', async ({ root }) => {
    const widest = {
      username: 'a'.repeat(256),
      password: `Aa1!${'x'.repeat(1_020)}`,
      email: `${'a'.repeat(249)}@x.te`,
      roles: Array.from({ length: 32 }, (_, index) => `r${index}${'-'.repeat(64)}`.slice(0, 64)),
      credential_id: null,
    };
    expect(result(await root.create(widest)).email).toHaveLength(254);
    expect(outcome(await root.create({ ...ann, email: 'a@b' }))).toBe('201');
  });
});

withUsers(
  'USR-C39, USR-C40, CON-81 a weak password is refused with the rules it breaks',
  async ({ root }) => {
    const answer = await root.create({ ...ann, password: 'abcdefghijk' });
    expect(outcome(answer)).toBe('400 weak_password');
    expect(answer.body).toEqual({
      error: 'weak_password',
      message:
        'at least 12 characters; an upper-case letter A-Z; a digit 0-9; ' +
        'a special character out of !@#$%^&*()_+-=[]{}|;:,.<>?',
    });
    const weak = [
      'Correct Horse 7',
      'Correct-Horse-٧',
      'Ωorrect-horse-7',
      `Aa1!${'x'.repeat(1_021)}`,
    ];
    for (const password of weak) {
      expect(outcome(await root.create({ ...ann, password }))).toBe('400 weak_password');
    }
    expect(await root.usernames()).toEqual(['root']);
  },
);

withUsers('CON-61 only administrators make accounts', async (users) => {
  const { fixture, tenantAdmin } = users;
  const reader = await users.person('reader');
  expect(outcome(await reader.create({ nothing: 1 }))).toBe(refused.forbidden);
  const agent = await fixture.agent();
  const denied = await agent.call('createUser', { document: ann });
  expect(outcome(denied)).toBe(refused.forbidden);
  expect(JSON.stringify(denied)).toContain('needs the capability credential_admin');
  expect(outcome(await agent.with('x').call('createUser', { document: ann }))).toBe(
    refused.unauthorized,
  );
  expect(result(await tenantAdmin.create(ann)).tenant_id).toBe('acme');
});

// CON-64, CON-76
withUsers('an administrator of the installation acts in a tenant that it names', async (users) => {
  const { root, chief, tenantAdmin } = users;
  const acme = { tenant_id: 'acme' };
  const user = result(await root.create(ann, acme));
  expect(user.tenant_id).toBe('acme');
  expect(await chief.usernames()).toEqual(['ann', 'chief']);
  expect(await root.usernames(acme)).toEqual(['ann', 'chief']);
  expect(outcome(await root.get(user.id))).toBe('404 not_found');
  expect(result(await root.get(user.id, acme))).toEqual(user);
  expect(outcome(await root.create(ann, { tenant_id: 'nobody' }))).toBe('404 tenant_not_found');
  for (const tenant_id of ['x'.repeat(257), 'x'.repeat(9_000)]) {
    expect(outcome(await root.create(ann, { tenant_id }))).toBe(refused.invalid);
  }
  expect(outcome(await chief.create({ ...ann, username: 'bob' }, acme))).toBe('201');
  for (const party of [chief, tenantAdmin]) {
    expect(outcome(await party.create(ann, { tenant_id: 'nobody' }))).toBe(refused.forbidden);
    expect(outcome(await party.create(ann, { tenant_id: 'other' }))).toBe(refused.forbidden);
  }
});

withUsers('USR-18 a credential can be named by a caller who could issue it', async (users) => {
  const { root, chief, tenantAdmin, fixture } = users;
  const agent = await fixture.agent();
  const bound = { ...ann, credential_id: agent.id };
  const acme = { tenant_id: 'acme' };
  // A role, in the tenant or in the installation, does not include the capability.
  expect(outcome(await chief.create(bound))).toBe(refused.forbidden);
  expect(outcome(await root.create(bound, acme))).toBe(refused.forbidden);
  expect(outcome(await root.create(bound))).toBe(refused.forbidden);
  const user = result(await tenantAdmin.create(bound));
  expect(user.credential_id).toBe(agent.id);

  const foreign = await fixture.foreignAdmin();
  const revoked = await fixture.admin.appoint(minimalSpec);
  await fixture.admin.revoke(revoked.id, 1);
  const expiring = { ...minimalSpec, expires_at_millis: fixture.clock.now() + 1_000 };
  const expired = await fixture.admin.appoint(expiring);
  fixture.clock.advance(1_000);
  for (const credential_id of [unknownId, foreign.id, revoked.id, expired.id]) {
    const answer = await tenantAdmin.create({ ...ann, username: 'bob', credential_id });
    expect(outcome(answer)).toBe(refused.forbidden);
  }
  expect(await chief.usernames()).toEqual(['ann', 'chief']);

  // An account that acts with the capability may name a credential too, if it has a role.
  const clerk = { username: 'clerk', password: PASSWORD, credential_id: tenantAdmin.id };
  const { id } = result(await tenantAdmin.create(clerk));
  const before = await users.login('clerk', acme);
  expect(outcome(await before.create({ ...bound, username: 'c' }))).toBe(refused.forbidden);
  result(await chief.setRoles(id, ['Admin']));
  const clerkAgain = await users.login('clerk', acme);
  expect(outcome(await clerkAgain.create({ ...bound, username: 'c' }))).toBe('201');
});

withUsers('USR-50, SES-28 checks of a create come in order', async (users) => {
  const { root, chief } = users;
  const boss = await users.person('boss', { roles: ['Admin'] });
  const weak = { username: 'root', password: 'weak', roles: ['Admin'] };
  const strong = { ...weak, password: PASSWORD };
  const stray = { tenant: 'acme' };
  const reader = await users.person('reader');
  expect(outcome(await reader.create({ x: 1 }, stray))).toBe(refused.forbidden);
  expect(outcome(await boss.create({ x: 1 }, { tenant_id: 'no' }))).toBe('404 tenant_not_found');
  expect(outcome(await chief.create({ x: 1 }, { tenant_id: 'no' }))).toBe(refused.forbidden);
  expect(outcome(await boss.create(weak))).toBe('400 weak_password');
  expect(outcome(await boss.create(strong))).toBe(refused.forbidden);
  expect(outcome(await root.create(strong))).toBe('409 already_exists');
});

withUsers('CON-8 of parallel creates with one name, one succeeds', async ({ root }) => {
  const answers = await Promise.all(
    Array.from({ length: 5 }, (_, index) => root.create({ ...ann, email: `${index}@x.test` })),
  );
  expect(answers.map(outcome).sort()).toEqual([
    '201',
    ...Array<string>(4).fill('409 already_exists'),
  ]);
  const addresses = await Promise.all(
    Array.from({ length: 5 }, (_, index) =>
      root.create({ ...ann, username: `u${index}`, email: 'same@x.test' }),
    ),
  );
  expect(addresses.map(outcome).sort()[0]).toBe('201');
  expect(await root.usernames()).toHaveLength(3);
});
