/** The one profile of usernames, wherever they are stated (docs/contract/users.md#usr-54). */
import { createAdmin } from '@agentkeep/core/operator';
import { expect } from 'vitest';
import { outcome, refused, result } from '../harness/answer.js';
import {
  REFUSED,
  reasons,
  ruleFor,
  signIn,
  signInOutcome,
  state,
  withIssuer,
} from '../openid/sign-in-fixture.js';
import { PASSWORD, type UserFixture, withUsers } from './user-fixture.js';

const NAME = 'josé fi';

/** Other spellings of the name. */
const spellings = [
  NAME.normalize('NFD'),
  'josé ﬁ',
  'ｊｏｓé　ｆｉ',
  'jos\uff45\u0301\u00a0fi',
] as const;

/** Texts that are names but for what isn't seen. */
const unseen = [
  ...['ann\u200b', '\ufeffann', 'a\u00adnn', 'an\u200dn', 'ann\ufe0f', 'ann\u115f', 'ann\u2800'],
  ...['\u202ennA', 'ann\u2069', 'ann\u200f', '\u061cann', 'ann\u{e0041}', 'ann\ue000', 'ann\u0378'],
  ...[
    ' ann',
    'ann ',
    'ann\u00a0',
    'an  n',
    'an\u3000\u3000n',
    '\u00b4ann',
    'ann\u1680',
    'an\u2028n',
  ],
];

const version = { contract_version: 1 };

/** Returns what the logins of an account of the tenant answer. */
async function logins({ fixture }: UserFixture, username: string): Promise<string[]> {
  const document = { username, password: PASSWORD, tenant_id: 'acme' };
  return [
    outcome(await fixture.transport('authLogin', undefined, { document })),
    outcome(
      await fixture.transport('loginTenant', undefined, { document: { ...version, ...document } }),
    ),
  ];
}

withUsers('USR-C41, USR-54 one account has all spellings of a name', async (users) => {
  const { chief, fixture } = users;
  const { id: credential_id } = await fixture.agent();
  const made = result(await chief.create({ username: NAME, password: PASSWORD }));
  expect(made.username).toBe(NAME);
  for (const username of spellings) {
    const members = { username, password: PASSWORD };
    expect(outcome(await chief.create(members)), username).toBe('409 already_exists');
    const document = { ...version, ...members, credential_id };
    const inOtherView = await fixture.admin.call('createTenantLoginAccount', { document });
    expect(outcome(inOtherView), username).toBe('409 revision_conflict');
    const byCommand = createAdmin(fixture.keep, { ...members, tenantId: 'acme' });
    await expect(byCommand, username).rejects.toMatchObject({ code: 'already_exists' });
    expect(await logins(users, username), username).toEqual(['200', '200']);
  }
  expect(await chief.usernames()).toEqual(['chief', NAME]);
});

withUsers('USR-C42, USR-54 each way to make an account stores the one spelling', async (users) => {
  const { chief, fixture } = users;
  const { id: credential_id } = await fixture.agent();
  const user = result(await chief.create({ username: 'ａｎｎ', password: PASSWORD }));
  const document = { ...version, username: 'ｂｅｎ', password: PASSWORD, credential_id };
  const { account } = result(await fixture.admin.call('createTenantLoginAccount', { document }));
  const admin = await createAdmin(fixture.keep, {
    ...{ username: 'Ｃｉｄ', password: PASSWORD, tenantId: 'acme' },
  });
  expect([user, account, admin].map(({ username }) => username)).toEqual(['ann', 'ben', 'Cid']);
  for (const name of ['ann', 'ben', 'Cid']) {
    expect(await logins(users, name)).toEqual(['200', '200']);
  }
  const session = { username: 'ｂｅｎ', password: PASSWORD, tenant_id: 'acme' };
  const answer = result(await fixture.transport('authLogin', undefined, { document: session }));
  expect(answer.username).toBe('ben');
  const named = await chief.events({ username: 'ben', event_type: 'login' });
  expect(named.length).toBeGreaterThan(0);
});

withUsers('USR-C42, USR-55 what is not seen is refused everywhere', async (users) => {
  const { chief, fixture } = users;
  const { id: credential_id } = await fixture.agent();
  for (const username of unseen) {
    const name = JSON.stringify(username);
    const members = { username, password: PASSWORD };
    const answer = await chief.create(members);
    expect(outcome(answer), name).toBe(refused.invalid);
    expect(answer.body, name).toMatchObject({ members: [{ path: 'username' }] });
    const document = { ...version, ...members, credential_id };
    const inOtherView = await fixture.admin.call('createTenantLoginAccount', { document });
    expect(outcome(inOtherView), name).toBe(refused.invalid);
    const byCommand = createAdmin(fixture.keep, { ...members, tenantId: 'acme' });
    await expect(byCommand, name).rejects.toMatchObject({ code: 'invalid_request' });
    expect(await logins(users, username), name).toEqual([refused.invalid, refused.invalid]);
    for (const operation of ['getLockout', 'unlockAccount'] as const) {
      expect(await chief.outcome(operation, { id: username }), name).toBe(refused.invalid);
    }
    const lock = { id: username, document: {} };
    expect(await chief.outcome('lockAccount', lock), name).toBe(refused.invalid);
  }
  expect(await chief.usernames()).toEqual(['chief']);
});

withUsers('USR-54, LCK-15, LCK-36 a lock holds for all spellings of a name', async (users) => {
  const { chief } = users;
  await users.member(NAME, { password: PASSWORD });
  for (const [index, username] of spellings.entries()) {
    expect(await chief.outcome('lockAccount', { id: username, document: {} })).toBe('200');
    const { status, username: shown } = result(await chief.call('getLockout', { id: NAME }));
    expect([shown, status.locked, status.lockout_count]).toEqual([NAME, true, index + 1]);
    expect(await logins(users, username)).toEqual(['429 account_locked', '429 account_locked']);
    expect(await chief.outcome('unlockAccount', { id: spellings[0] })).toBe('200');
  }
});

withUsers('USR-54, LCK-16 failures in several spellings count together', async (users) => {
  const { chief, fixture } = users;
  for (const username of [NAME, ...spellings]) {
    const document = { username, password: 'wrong', tenant_id: 'acme' };
    await fixture.transport('authLogin', undefined, { document });
  }
  const { locked_users } = result(await chief.call('listLockouts', {}));
  expect(locked_users.map(([name]) => name)).toEqual([NAME]);
});

withUsers('USR-56 case and letters that look alike make different names', async ({ chief }) => {
  const names = ['ann', 'Ann', 'аnn', '🦊', 'an-n', 'an\u2010n'];
  for (const username of names) {
    expect(outcome(await chief.create({ username, password: PASSWORD })), username).toBe('201');
  }
});

withIssuer('USR-54, USR-55, OID-21 a name from a claim follows the profile', async (users) => {
  const { chief, tenantAdmin } = users;
  await users.member('ann');
  result(await state(tenantAdmin, [ruleFor('dev', { creates_accounts: true })]));
  const claims = (sub: string, preferred_username: string) => ({
    ...{ sub, preferred_username, groups: ['dev'] },
  });
  expect(result(await signIn(users, claims('u1', 'ｂｅｎ'))).username).toBe('ben');
  expect(await signInOutcome(users, claims('u2', 'ａｎｎ'))).toBe(REFUSED);
  for (const text of ['ann\u200b', 'ann ', '\u202enna']) {
    expect(await signInOutcome(users, claims('u3', text))).toBe(REFUSED);
  }
  expect(await reasons(chief)).toEqual(['already_exists', 'username', 'username', 'username']);
  expect(await chief.usernames()).toEqual(['ann', 'ben', 'chief']);
});
