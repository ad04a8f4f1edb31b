/** Cases of logouts at an issuer (docs/contract/openid.md). */
import { expect } from 'vitest';
import { logoutToken, PEOPLE_CLIENT, PEOPLE_ISSUER } from '@agentkeep/testkit/test-sign-in';
import { hmacSigned, part, testIssuer } from '@agentkeep/testkit/test-issuer';
import { outcome, result } from '../harness/answer.js';
import type { Members } from '../harness/caller.js';
import type { UserFixture } from '../users/user-fixture.js';
import { ruleFor, signedIn, state, withIssuer } from './sign-in-fixture.js';

const REFUSED = '400 logout_token_refused';
const EVENT = 'http://schemas.openid.net/event/backchannel-logout';

function receive({ fixture }: UserFixture, logout_token: string, members: Members = {}) {
  const document = { tenant_id: 'acme', issuer: 'staff', logout_token, ...members };
  return fixture.transport('receiveIssuerLogout', undefined, { document });
}

async function people(t: UserFixture) {
  result(await state(t.chief, [ruleFor('dev', { creates_accounts: true })]));
  const as = (sub: string, sid?: string) =>
    signedIn(t, { sub, sid, preferred_username: sub, groups: ['dev'] });
  return { as, token: (members: Members) => logoutToken(t.fixture.clock.now(), members) };
}

withIssuer(
  'OID-C10, OID-8, OID-30, AUD-91 a logout at the issuer ends what it opened',
  async (t) => {
    const { as, token } = await people(t);
    const [one, two, three, other] = [
      await as('ann', 's1'),
      await as('ann', 's2'),
      await as('ann'),
      await as('bob', 's3'),
    ];
    const alive = () => Promise.all([one, two, three, other].map((each) => each.isAlive()));
    // A session of somebody else is none of this person.
    expect(outcome(await receive(t, token({ sub: 'bob', sid: 's1' })))).toBe('200');
    expect(await alive()).toEqual([true, true, true, true]);
    expect(outcome(await receive(t, token({ sid: 's1' })))).toBe('200');
    expect(await alive()).toEqual([false, true, true, true]);
    expect(outcome(await receive(t, token({ sub: 'ann', sid: 's2' })))).toBe('200');
    expect(await alive()).toEqual([false, false, true, true]);
    expect(outcome(await receive(t, token({ sub: 'ann' })))).toBe('200');
    expect(await alive()).toEqual([false, false, false, true]);
    expect(outcome(await receive(t, token({ sub: 'nobody' })))).toBe('200');
    const events = await t.chief.events({ event_type: 'logout' });
    expect(events.map(({ username, metadata }) => [username, metadata['sessions']])).toEqual([
      ['bob', 0],
      [null, 1],
      ['ann', 1],
      ['ann', 1],
      [null, 0],
    ]);
  },
);

withIssuer('OID-C10, OID-29, OID-31, AUD-92 other tokens end nothing', async (t) => {
  const { as, token } = await people(t);
  const ann = await as('ann', 's1');
  const sub = 'ann';
  const iat = Math.floor(t.fixture.clock.now() / 1_000);
  const claims = { iss: PEOPLE_ISSUER, aud: PEOPLE_CLIENT, iat, exp: iat + 60, jti: 'x', sub };
  const events = { [EVENT]: {} };
  const wrong: Readonly<Record<string, string>> = {
    none: `${part({ alg: 'none' })}.${part({ ...claims, events })}.`,
    hmac: hmacSigned({ ...claims, events }, 'secret'),
    key: testIssuer('people', 'ed25519').sign({ ...claims, events }),
    kid: testIssuer('other', 'ed25519').sign({ ...claims, events }),
    issuer: token({ sub, iss: `${PEOPLE_ISSUER}/` }),
    audience: token({ sub, aud: 'other' }),
    expired: token({ sub, exp: iat - 61 }),
    endless: token({ sub, exp: iat + 90_000 }),
    early: token({ sub, iat: iat + 120, exp: iat + 180 }),
    noEvent: token({ sub, events: {} }),
    otherEvent: token({ sub, events: { [EVENT]: true } }),
    idToken: token({ sub, nonce: 'n' }),
    noId: token({ sub, jti: undefined }),
    noTime: token({ sub, iat: undefined }),
    nobody: token({}),
    sid: token({ sub, sid: 7 }),
    form: 'x',
  };
  for (const [name, logout_token] of Object.entries(wrong)) {
    expect([name, outcome(await receive(t, logout_token))]).toEqual([name, REFUSED]);
  }
  expect(outcome(await receive(t, token({ sub }), { issuer: 'other' }))).toBe(REFUSED);
  expect(outcome(await receive(t, token({ sub }), { tenant_id: 'other' }))).toBe(REFUSED);
  expect(await ann.isAlive()).toBe(true);
  const once = token({ sub });
  expect(outcome(await receive(t, once))).toBe('200');
  expect(await ann.isAlive()).toBe(false);
  const again = await as('ann', 's1');
  expect(outcome(await receive(t, once))).toBe(REFUSED);
  expect(await again.isAlive()).toBe(true);
  const refusals = await t.root.events({ event_type: 'permission_denied' });
  const reasons = refusals
    .filter(({ action }) => action === 'issuer_logout')
    .map(({ metadata }) => metadata['error']);
  expect(new Set(reasons)).toEqual(
    new Set([
      ...['algorithm', 'signature', 'unknown_key', 'claims', 'expired', 'lifetime', 'early'],
      ...['event', 'nonce', 'subject', 'form', 'issuer', 'replayed'],
    ]),
  );
});
