/** Cases of sign-ins by an issuer, and of links of accounts (docs/contract/openid.md). */
import { expect } from 'vitest';
import { callbackOf, PEOPLE_ISSUER } from '@agentkeep/testkit/test-sign-in';
import { outcome, result } from '../harness/answer.js';
import { minimalSpec } from '../harness/documents.js';
import { Party } from '../users/user-fixture.js';
import {
  begin,
  complete,
  reasons,
  REDIRECT,
  REFUSED,
  ruleFor,
  signedIn,
  signIn,
  signInOutcome,
  state,
  withIssuer,
} from './sign-in-fixture.js';

const ann = { sub: 'u1', preferred_username: 'ann', groups: ['dev', 'all'] };
const UNKNOWN = '018f0000-0000-7000-8000-000000000000';

withIssuer('OID-C4, OID-7, OID-21, OID-25 a first sign-in makes the account', async (t) => {
  const { tenantAdmin, chief, fixture } = t;
  const { id: credential_id } = await fixture.admin.appoint(minimalSpec);
  const rule = ruleFor('dev', { roles: ['Write'], credential_id, creates_accounts: true });
  result(await state(tenantAdmin, [ruleFor('ops'), rule]));
  const { user_id, username, ...session } = result(await signIn(t, ann));
  expect([username, session.token_type, session.expires_in]).toEqual(['ann', 'Bearer', 3_600]);
  const person = new Party(fixture.transport, session.access_token, user_id);
  expect(result(await person.get(user_id))).toMatchObject({
    ...{ username: 'ann', roles: ['Write'], credential_id },
    ...{ email: null, is_active: true },
  });
  expect(result(await person.call('whoAmI', {})).credential.id).toBe(credential_id);
  const links = result(await person.call('getUserLinks', { id: user_id, parameters: {} }));
  expect(links).toEqual({ links: [{ issuer: PEOPLE_ISSUER, sub: 'u1', follows_rules: true }] });
  const refreshed = { document: { refresh_token: session.refresh_token } };
  expect(outcome(await fixture.transport('authRefresh', undefined, refreshed))).toBe('200');
  expect((await signedIn(t, { ...ann, preferred_username: 'other' })).id).toBe(user_id);
  const events = await chief.events({ user_id });
  const named = events.map(({ event_type, metadata }) => [event_type, metadata['issuer']]);
  expect(named).toContainEqual(['user_created', undefined]);
  expect(named.filter(([type]) => type === 'login')).toEqual([
    ['login', 'staff'],
    ['login', 'staff'],
  ]);
  expect(outcome(await person.call('authLogout', {}))).toBe('200');
  expect(await person.isAlive()).toBe(false);
});

withIssuer(
  'OID-C5, OID-18, OID-21, OID-27, AUD-90 nobody is linked by name or e-mail',
  async (t) => {
    const { chief, root } = t;
    const known = await t.member('ann', { email: 'ann@example.test' });
    const stated = { ...ann, email: 'ann@example.test', email_verified: true };
    result(await state(chief, [ruleFor('dev')]));
    expect(await signInOutcome(t, stated)).toBe(REFUSED);
    result(await state(chief, [ruleFor('dev', { creates_accounts: true })]));
    expect(await signInOutcome(t, stated)).toBe(REFUSED);
    const username_claim = ['email'];
    result(
      await state(chief, [ruleFor('dev', { creates_accounts: true })], {
        issuer: { username_claim },
      }),
    );
    const { user_id } = result(await signIn(t, stated));
    expect(user_id).not.toBe(known.id);
    expect(result(await chief.get(user_id)).email).toBeNull();
    expect(await chief.usernames()).toEqual(['ann', 'ann@example.test', 'chief']);
    for (const claims of [{ email: 7 }, { email: ' ' }, {}]) {
      expect(await signInOutcome(t, { sub: 'u2', groups: ['dev'], ...claims })).toBe(REFUSED);
    }
    result(
      await state(chief, [ruleFor('dev', { creates_accounts: true })], {
        issuer: { username_claim: null },
      }),
    );
    expect(result(await signIn(t, { sub: 'u3', groups: ['dev'] })).username).toBe('u3');
    for (const sub of ['', 'x'.repeat(256), 7, undefined]) {
      expect(await signInOutcome(t, { ...ann, sub })).toBe(REFUSED);
    }
    expect(await signInOutcome(t, { ...ann, iss: `${PEOPLE_ISSUER}/` })).toBe(REFUSED);
    expect(await reasons(chief)).toEqual([
      ...['unlinked', 'already_exists'],
      ...['username', 'username', 'username'],
    ]);
    // What the issuer has not vouched for is no matter of the tenant.
    expect(new Set(await reasons(root, null))).toEqual(new Set(['claims']));
  },
);

withIssuer('OID-C6, OID-20 accounts that follow the rules change with the claims', async (t) => {
  const { chief, tenantAdmin, fixture } = t;
  const { id: credential_id } = await fixture.admin.appoint(minimalSpec);
  const makes = { creates_accounts: true };
  const rules = [
    ruleFor('ops', { roles: ['Write'], credential_id, ...makes }),
    ruleFor('dev', { roles: ['Read'], ...makes }),
  ];
  result(await state(tenantAdmin, rules));
  const first = await signedIn(t, ann);
  const second = await signedIn(t, { ...ann, groups: ['dev', 'ops'] });
  expect(result(await second.get(second.id))).toMatchObject({ roles: ['Write'], credential_id });
  // Sessions from before end with the roles, and here with the credential.
  expect(await first.isAlive()).toBe(false);
  expect(await signInOutcome(t, { ...ann, groups: [] })).toBe(REFUSED);
  expect(await signInOutcome(t, { ...ann, groups: undefined })).toBe(REFUSED);
  expect(await second.isAlive()).toBe(true);
  const third = await signedIn(t, ann);
  expect(result(await third.get(third.id))).toMatchObject({ roles: ['Read'], credential_id: null });
  expect(await reasons(chief)).toEqual(['rule', 'rule']);
  const updated = await chief.events({ user_id: third.id, event_type: 'user_updated' });
  expect(updated.map(({ metadata }) => metadata['credential_id'])).toEqual([credential_id, null]);
});

withIssuer('OID-C7, OID-6, OID-17, OID-23, OID-26 an attempt is completed once', async (t) => {
  const { chief, root, fixture } = t;
  const rules = [ruleFor('dev', { creates_accounts: true })];
  result(await state(chief, rules));
  const used = await begin(t);
  const other = await begin(t);
  const callback = callbackOf(used.authorization_url, ann);
  expect(outcome(await complete(t, used.attempt, callback))).toBe('200');
  expect(outcome(await complete(t, used.attempt, callback))).toBe(REFUSED);
  const elsewhere = callbackOf(other.authorization_url, ann);
  expect(outcome(await complete(t, used.attempt, elsewhere))).toBe(REFUSED);
  for (const wrong of ['code=x', `${elsewhere}&state=x`, 'state=', '%']) {
    expect(outcome(await complete(t, other.attempt, wrong))).toBe(REFUSED);
  }
  const members = JSON.parse(Buffer.from(other.attempt, 'base64url').toString()) as unknown[];
  const changed = (at: number, member: unknown) =>
    Buffer.from(JSON.stringify(members.with(at, member))).toString('base64url');
  for (const attempt of [
    changed(0, 'other'),
    changed(1, 'else'),
    changed(2, `${REDIRECT}/2`),
    changed(3, fixture.clock.now() + 3_600_000),
    changed(4, 'guess'),
    `${other.attempt}A`,
    'e30',
    '%',
  ]) {
    expect([attempt, outcome(await complete(t, attempt, elsewhere))]).toEqual([attempt, REFUSED]);
  }
  fixture.clock.advance(599_999);
  const late = await begin(t);
  expect(outcome(await complete(t, other.attempt, elsewhere))).toBe('200');
  fixture.clock.advance(600_000);
  const tooLate = callbackOf(late.authorization_url, ann);
  expect(outcome(await complete(t, late.attempt, tooLate))).toBe(REFUSED);
  const ended = await begin(t);
  result(await state(chief, rules));
  expect(outcome(await complete(t, ended.attempt, callbackOf(ended.authorization_url, ann)))).toBe(
    REFUSED,
  );
  expect(await reasons(chief)).toEqual(['replayed']);
  const seen = new Set(await reasons(root, null));
  expect(seen).toEqual(new Set(['state', 'issuer', 'attempt', 'expired']));
  expect(outcome(await chief.call('getUserLinks', { id: UNKNOWN, parameters: {} }))).toBe(
    '404 not_found',
  );
});

withIssuer('OID-C8, OID-3, OID-4, OID-18, OID-19 links are stated and removed', async (t) => {
  const { chief } = t;
  result(await state(chief, [ruleFor('dev', { roles: ['Write'] })]));
  const clerk = await t.member('clerk', { roles: ['Admin'] });
  const bob = await t.member('bob');
  const put = (by: Party, id: string, links: readonly object[]) =>
    by.call('putUserLinks', { id, parameters: {}, document: { links } });
  const link = { issuer: PEOPLE_ISSUER, sub: 'u2' };
  const shown = { ...link, follows_rules: false };
  expect(result(await put(clerk, bob.id, [link]))).toEqual({ links: [shown] });
  expect(result(await put(clerk, bob.id, [shown]))).toEqual({ links: [shown] });
  expect(outcome(await put(clerk, chief.id, [link]))).toBe('403 forbidden');
  expect(outcome(await put(chief, clerk.id, [link]))).toBe('409 already_exists');
  expect(outcome(await put(bob, bob.id, []))).toBe('403 forbidden');
  expect(outcome(await put(chief, bob.id, [link, link]))).toBe('400 invalid_request');
  const nine = Array.from({ length: 9 }, (_, at) => ({ ...link, sub: `u${at}` }));
  expect(outcome(await put(chief, bob.id, nine))).toBe('400 invalid_request');
  const claims = { sub: 'u2', preferred_username: 'ann', groups: ['dev'] };
  const session = await signedIn(t, claims);
  expect(session.id).toBe(bob.id);
  // No rule says anything of a link that does not follow them.
  expect(result(await session.get(bob.id)).roles).toEqual(['Read']);
  const ofPassword = await t.login('bob', { tenant_id: 'acme' });
  const document = { reason: 'Under investigation.' };
  result(await chief.call('lockAccount', { id: 'bob', parameters: {}, document }));
  expect(await signInOutcome(t, claims)).toBe(REFUSED);
  result(await chief.call('unlockAccount', { id: 'bob', parameters: {} }));
  for (const is_active of [false, true]) {
    result(await chief.update(bob.id, { is_active }));
    expect(await signInOutcome(t, claims)).toBe(is_active ? '200' : REFUSED);
  }
  expect(await ofPassword.isAlive()).toBe(false);
  const [linked, own] = [await signedIn(t, claims), await t.login('bob', { tenant_id: 'acme' })];
  result(await put(chief, bob.id, [{ ...link, sub: 'u4' }]));
  expect([await linked.isAlive(), await own.isAlive()]).toEqual([false, true]);
  expect(await signInOutcome(t, claims)).toBe(REFUSED);
  expect(result(await own.call('getUserLinks', { id: bob.id, parameters: {} })).links).toEqual([
    { ...link, sub: 'u4', follows_rules: false },
  ]);
  const follows = { ...link, follows_rules: true };
  result(await put(chief, bob.id, [follows]));
  expect(result(await (await signedIn(t, claims)).get(bob.id)).roles).toEqual(['Write']);
  // An account that is deleted gives its links away.
  result(await chief.delete(bob.id));
  expect(await signInOutcome(t, claims)).toBe(REFUSED);
  result(await put(chief, clerk.id, [link]));
  expect((await signedIn(t, claims)).id).toBe(clerk.id);
  expect(await reasons(chief)).toEqual(['locked', 'account', 'unlinked', 'account']);
  const changes = await chief.events({ event_type: 'user_updated' });
  expect(changes.filter(({ metadata }) => metadata['links_changed'] === true)).toHaveLength(4);
});

withIssuer(
  'OID-26, OID-28 an ended credential or an issuer that is down lets nobody in',
  async (t) => {
    const { tenantAdmin, chief, root, fixture } = t;
    const { id: credential_id } = await fixture.admin.appoint(minimalSpec);
    const rules = [ruleFor('dev', { credential_id, creates_accounts: true })];
    result(await state(tenantAdmin, rules));
    await signedIn(t, ann);
    const document = { contract_version: 1, expected_revision: 1 };
    result(await fixture.admin.call('revokeCredential', { id: credential_id, document }));
    expect(await signInOutcome(t, ann)).toBe(REFUSED);
    expect(await reasons(chief)).toEqual(['credential']);
    const issuer = { name: 'down' };
    result(await state(tenantAdmin, [], { issuer }));
    await expect(begin(t, { issuer: 'down' })).rejects.toThrow('503 issuer_unavailable');
    expect(await reasons(root, null)).toEqual(['unreachable']);
  },
);
