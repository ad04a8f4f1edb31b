/** The sessions of an account: who lists and ends them (docs/contract/sessions.md#ses-103). */
import { PEOPLE_ISSUER } from '@agentkeep/testkit/test-sign-in';
import { expect } from 'vitest';
import { type Answer, outcome, refused, result } from '../harness/answer.js';
import { minimalSpec, unknownId } from '../harness/documents.js';
import { ruleFor, signedIn, state, withIssuer } from '../openid/sign-in-fixture.js';
import { Party, PASSWORD, type UserFixture, withUsers } from '../users/user-fixture.js';

const MINUTE = 60_000;
const version = { contract_version: 1 };
const none = '404 not_found';
const inAcme = { parameters: { tenant_id: 'acme' } };

/** Opens an opaque session of an account of the tenant. */
async function platform({ fixture }: UserFixture, username: string): Promise<Party> {
  const document = { ...version, tenant_id: 'acme', username, password: PASSWORD };
  const { session } = result(await fixture.transport('loginTenant', undefined, { document }));
  return new Party(fixture.transport, session.token, session.account.id);
}

/** Returns the account of a party by an API key of it. */
async function byKey({ fixture }: UserFixture, person: Party): Promise<Party> {
  const { key } = result(await person.call('createApiKey', { document: { name: 'ci' } }));
  return new Party(fixture.transport, key, person.id);
}

async function listed(by: Party, id = by.id, parts: object = {}) {
  const answer = await by.call('listUserSessions', { id, parameters: {}, ...parts });
  return result(answer).sessions;
}

/** Returns the id of the session that a party calls in. */
async function ownSession(party: Party): Promise<string> {
  const current = (await listed(party)).filter(({ is_current }) => is_current);
  expect(current).toHaveLength(1);
  return current[0]?.session_id ?? '';
}

function end(
  by: Party,
  id: string,
  session_id: unknown,
  parts: object = {},
): Promise<Answer<'endUserSession'>> {
  const document = { session_id };
  return by.call('endUserSession', { id, parameters: {}, document, ...parts });
}

async function endOutcome(...call: Parameters<typeof end>): Promise<string> {
  return outcome(await end(...call));
}

withIssuer(
  'SES-C39, SES-110, LOG-60 an account and its administrators see where it is',
  async (users) => {
    const { chief, root, tenantAdmin, fixture } = users;
    result(await state(chief, [ruleFor('dev', { creates_accounts: true })]));
    const person = { sub: 'u1', preferred_username: 'ann', groups: ['dev'] };
    const first = await signedIn(users, person);
    result(await chief.reset(first.id, PASSWORD));
    fixture.clock.advance(MINUTE);
    const vouched = await signedIn(users, person);
    const start = fixture.clock.now();
    fixture.clock.advance(MINUTE);
    const opaque = await platform(users, 'ann');
    fixture.clock.advance(MINUTE);
    const own = await users.login('ann', { tenant_id: 'acme' });
    const at = (millis: number) => new Date(start + millis).toISOString();
    const day = 24 * 60 * MINUTE;
    const unused = { last_used: null, is_current: false };
    const jwt = { kind: 'jwt', issuer: null, created_at: at(2 * MINUTE) };
    const sessions = [
      { ...jwt, expires_at: at(2 * MINUTE + day), ...unused },
      {
        kind: 'opaque',
        issuer: null,
        created_at: at(MINUTE),
        expires_at: at(16 * MINUTE),
        ...unused,
      },
      { kind: 'jwt', issuer: PEOPLE_ISSUER, created_at: at(0), expires_at: at(day), ...unused },
    ].map((members) => ({ session_id: expect.any(String) as string, ...members }));
    const key = await byKey(users, own);
    for (const [index, each] of [own, opaque, vouched].entries()) {
      expect(await listed(each)).toEqual(
        sessions.map((session, place) => ({ ...session, is_current: place === index })),
      );
    }
    expect(await listed(key)).toEqual(sessions);
    expect(await listed(tenantAdmin, own.id)).toEqual(sessions);
    expect(await listed(chief, own.id.toUpperCase())).toEqual(sessions);
    expect(await listed(root, own.id, inAcme)).toEqual(sessions);
    const text = JSON.stringify(await listed(own));
    for (const { token } of [own, opaque]) expect(text).not.toContain(token.slice(-20));
  },
);

withUsers('SES-C40 sessions that end in any way leave the list', async (users) => {
  const { fixture, chief, tenantAdmin } = users;
  const key = await fixture.admin.appoint(minimalSpec);
  const document = { username: 'ann', password: PASSWORD, credential_id: key.id };
  const { id } = result(await tenantAdmin.create(document));
  const kinds = async () => (await listed(chief, id)).map(({ kind }) => kind);
  expect(await kinds()).toEqual([]);
  const first = await users.login('ann', { tenant_id: 'acme' });
  await platform(users, 'ann');
  const last = await users.login('ann', { tenant_id: 'acme' });
  expect(await kinds()).toEqual(['jwt', 'opaque', 'jwt']);
  result(await last.call('authLogout'));
  expect(await kinds()).toEqual(['opaque', 'jwt']);
  // An access token is revoked, and its session can still refresh.
  result(await fixture.transport('revokeToken', undefined, { document: { token: first.token } }));
  fixture.clock.advance(15 * MINUTE - 1);
  expect(await kinds()).toEqual(['opaque', 'jwt']);
  fixture.clock.advance(1);
  expect(await kinds()).toEqual(['jwt']);
  const [left] = await listed(chief, id);
  result(await fixture.admin.rotate(key.id, 1));
  expect(await kinds()).toEqual([]);
  expect(await endOutcome(chief, id, left?.session_id)).toBe(none);
  await users.login('ann', { tenant_id: 'acme' });
  expect(await kinds()).toEqual(['jwt']);
  result(await fixture.admin.revoke(key.id, 2));
  expect(await kinds()).toEqual([]);
});

withUsers('SES-C40 a chain of refreshes that has ended leaves the list', async (users) => {
  const { chief, fixture } = users;
  const ann = await users.member('ann');
  fixture.clock.advance(24 * 60 * MINUTE - 1);
  const later = await users.login('chief', { tenant_id: 'acme' });
  expect(await listed(later, ann.id)).toHaveLength(1);
  expect(await listed(later, chief.id)).toHaveLength(2);
  fixture.clock.advance(1);
  expect(await listed(later, ann.id)).toEqual([]);
});

withUsers(
  'SES-C40 with an idle limit uses are shown, and idle sessions leave the list',
  async (users) => {
    const { chief, fixture } = users;
    const idle = await users.member('ann');
    const used = await users.login('ann', { tenant_id: 'acme' });
    await platform(users, 'ann');
    const start = fixture.clock.now();
    const uses = async () =>
      (await listed(chief, idle.id)).map(({ last_used }) =>
        last_used === null ? null : Date.parse(last_used) - start,
      );
    expect(await uses()).toEqual([null, 0, 0]);
    fixture.clock.advance(MINUTE - 1);
    await used.isAlive();
    expect(await uses()).toEqual([null, 0, 0]);
    for (let minute = 1; minute <= 5; minute += 1) {
      fixture.clock.advance(MINUTE);
      expect(await used.isAlive()).toBe(true);
      expect(await chief.isAlive()).toBe(true);
      expect((await uses())[1]).toBe((minute + 1) * MINUTE - 1);
    }
    fixture.clock.advance(1);
    expect(await uses()).toEqual([null, 6 * MINUTE - 1]);
    expect(await idle.isAlive()).toBe(false);
  },
  { sessions: { idleSeconds: 300 } },
);

withUsers('SES-C41 the end of a session is its logout, and no other ends', async (users) => {
  const { chief, fixture } = users;
  const left = await users.member('ann');
  const key = await byKey(users, left);
  const document = { username: 'ann', password: PASSWORD, tenant_id: 'acme' };
  const { id } = left;
  const ends: readonly [by: Party, opens: 'jwt' | 'opaque'][] = [
    ...[left, key, chief].flatMap((by): [Party, 'jwt' | 'opaque'][] => [
      [by, 'jwt'],
      [by, 'opaque'],
    ]),
  ];
  for (const [by, kind] of ends) {
    const login = result(await fixture.transport('authLogin', undefined, { document }));
    const tokens = new Party(fixture.transport, login.access_token, id);
    const gone = kind === 'jwt' ? tokens : await platform(users, 'ann');
    const session_id = await ownSession(gone);
    const answer = { success: true, message: 'The session has ended.' };
    expect(result(await end(by, id.toUpperCase(), session_id.toUpperCase()))).toEqual(answer);
    expect(await gone.isAlive()).toBe(false);
    const refresh = { document: { refresh_token: login.refresh_token } };
    const refreshed = outcome(await fixture.transport('authRefresh', undefined, refresh));
    expect(refreshed).toBe(kind === 'jwt' ? refused.unauthorized : '200');
    for (const each of [left, key, chief]) expect(await each.isAlive()).toBe(true);
    expect(await endOutcome(by, id, session_id)).toBe(none);
    const [event] = (await chief.events({ event_type: 'session_ended' })).slice(-1);
    expect(event).toMatchObject({
      ...{ user_id: by.id, action: 'end_session', resource: `session:${session_id}` },
      ...{ result: 'success', tenant_id: 'acme', metadata: { session_id, user_id: id } },
    });
  }
  // One's own is like a logout.
  result(await end(left, id, await ownSession(left)));
  expect(await left.isAlive()).toBe(false);
  expect(await chief.events({ event_type: 'session_ended' })).toHaveLength(ends.length + 1);
});

withUsers('SES-C42 other callers, accounts and sessions are refused', async (users) => {
  const { chief, root, fixture } = users;
  const ann = await users.member('ann');
  const bob = await users.member('bob');
  const admin = await users.member('adam', { roles: ['Admin'] });
  const ids = { ann: await ownSession(ann), chief: await ownSession(chief) };
  const agent = await fixture.agent();
  const machine = new Party(fixture.transport, agent.token, agent.id);
  const foreign = await fixture.foreignAdmin();
  const stranger = new Party(fixture.transport, foreign.token, foreign.id);
  const expectBoth = async (by: Party, id: string, expected: string, parts: object = {}) => {
    expect(await by.outcome('listUserSessions', { id, ...parts })).toBe(expected);
    expect(await endOutcome(by, id, ids.ann, parts)).toBe(expected);
  };
  for (const by of [bob, await byKey(users, bob), machine]) {
    await expectBoth(by, ann.id, refused.forbidden);
    await expectBoth(by, unknownId, refused.forbidden);
  }
  await expectBoth(admin, chief.id, refused.forbidden);
  await expectBoth(stranger, ann.id, none);
  await expectBoth(stranger, ann.id, refused.forbidden, inAcme);
  await expectBoth(root, ann.id, none);
  await expectBoth(root, ann.id, refused.noTenant, { parameters: { tenant_id: 'nowhere' } });
  await expectBoth(chief, unknownId, none);
  await expectBoth(chief, 'ann', refused.invalid);
  // Its own, though it may not manage itself.
  expect(await listed(admin)).toHaveLength(1);
  for (const session of [ids.chief, unknownId]) {
    expect(await endOutcome(chief, ann.id, session)).toBe(none);
    expect(await endOutcome(ann, ann.id, session)).toBe(none);
  }
  for (const session of ['x', null, undefined]) {
    expect(await endOutcome(chief, ann.id, session)).toBe(refused.invalid);
  }
  for (const each of [ann, chief]) expect(await each.isAlive()).toBe(true);
  expect(await endOutcome(root, ann.id, ids.ann, inAcme)).toBe('200');
  expect(await ann.isAlive()).toBe(false);
});
