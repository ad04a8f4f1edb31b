/** What an issuer may state and what it may not, and issuers that cannot be asked. */
import { createHash } from 'node:crypto';
import { ManualClock } from '@agentkeep/core/testing';
import { hmacSigned, part, testIssuer } from '@agentkeep/testkit/test-issuer';
import { expect, test } from 'vitest';
import { CraftedIssuer } from './crafted-issuer.js';
import { CLIENT } from './people-provider.js';
import { codeOf, reasonsOf, REDIRECT, served, type Served, trust } from './sign-in-kit.js';

const REFUSED = 'sign_in_refused';
const nowSecs = () => Math.floor(Date.now() / 1_000);

function begin({ chief }: Served, members: object = {}) {
  return chief.signIn.begin({
    issuer: 'staff',
    redirectUri: REDIRECT,
    tenantId: 'acme',
    ...members,
  });
}

/** Signs in with a token that a test makes, and returns the outcome. */
async function outcomeOf(
  here: Served,
  issuer: CraftedIssuer,
  makeToken: CraftedIssuer['makeToken'],
  callback: Readonly<Record<string, string>> = {},
): Promise<string> {
  issuer.makeToken = makeToken;
  const { attempt, authorization_url: url } = await begin(here);
  return codeOf(here.chief.signIn.complete(attempt, issuer.callback(url, callback)));
}

test('OID-24, OID-26, OID-27 wrong tokens and answers let nobody in, and leave events', async () => {
  await using issuer = await CraftedIssuer.start();
  await using here = await served();
  await trust(here, issuer.issuer);
  const sign =
    (members: object, header = {}) =>
    (claims: object) =>
      issuer.signer.sign({ ...claims, ...members }, header);
  const wrong: Readonly<Record<string, [CraftedIssuer['makeToken'], object?]>> = {
    none: [(claims) => `${part({ alg: 'none' })}.${part(claims)}.`],
    hmac: [(claims) => hmacSigned(claims, CLIENT.client_secret)],
    missing: [() => undefined],
    form: [() => 'x'],
    key: [(claims) => testIssuer('k1').sign(claims)],
    kid: [(claims) => testIssuer('k2').sign(claims)],
    ownKey: [(claims) => testIssuer('k9').sign(claims, { jwk: testIssuer('k9').key })],
    issuer: [sign({ iss: `${issuer.issuer}/` })],
    audience: [sign({ aud: 'other' })],
    otherParty: [sign({ aud: [CLIENT.client_id, 'other'], azp: 'other' })],
    expired: [sign({ exp: nowSecs() - 61 })],
    endless: [sign({ exp: undefined })],
    nonce: [sign({ nonce: 'other' })],
    noNonce: [sign({ nonce: undefined })],
    subject: [sign({ sub: undefined })],
    mixUp: [sign({}), { iss: 'https://honest.example.test' }],
    noIssuer: [sign({}), { iss: '' }],
    declined: [sign({}), { error: 'access_denied' }],
  };
  for (const [name, [makeToken, callback]] of Object.entries(wrong)) {
    const found = await outcomeOf(here, issuer, makeToken, callback as never);
    expect([name, found]).toEqual([name, REFUSED]);
  }
  const reasons = await reasonsOf(here.root, null);
  expect(reasons).toHaveLength(Object.keys(wrong).length);
  expect(new Set(reasons)).toEqual(
    new Set(['claims', 'declined', 'expired', 'response', 'unknown_key']),
  );
  expect(await reasonsOf(here.chief, 'acme')).toEqual([]);
  expect(await outcomeOf(here, issuer, sign({}))).toBe('none');
});

test('OID-22, OID-23 the code goes to the issuer with the verifier of its own sign-in', async () => {
  await using issuer = await CraftedIssuer.start();
  await using here = await served();
  await trust(here, issuer.issuer);
  const [one, other] = [await begin(here), await begin(here)];
  await here.chief.signIn.complete(one.attempt, issuer.callback(one.authorization_url));
  const [form] = issuer.forms;
  const verifier = form?.get('code_verifier') ?? '';
  expect(createHash('sha256').update(verifier).digest('base64url')).toBe(issuer.challenge);
  expect([form?.get('redirect_uri'), form?.get('code')]).toEqual([REDIRECT, 'c1']);
  // A code of another sign-in gets another verifier, which its issuer refuses.
  const injected = new URLSearchParams(issuer.callback(other.authorization_url));
  issuer.instead = (request, response) => {
    if (request.url !== '/token') return false;
    response.writeHead(400, { 'content-type': 'application/json' });
    response.end('{"error":"invalid_grant"}');
    return true;
  };
  const refused = here.chief.signIn.complete(other.attempt, injected.toString());
  expect(await codeOf(refused)).toBe(REFUSED);
  expect(await reasonsOf(here.root, null)).toEqual(['code']);
});

test('OID-24 keys are fetched with the first token, and a stale one opens nothing', async () => {
  await using issuer = await CraftedIssuer.start();
  await using here = await served();
  await trust(here, issuer.issuer);
  const old = issuer.signer;
  expect(await outcomeOf(here, issuer, (claims) => old.sign(claims))).toBe('none');
  expect(await outcomeOf(here, issuer, (claims) => old.sign(claims))).toBe('none');
  expect(issuer.asked.filter((path) => path === '/keys')).toHaveLength(1);
  expect(issuer.asked.filter((path) => path.startsWith('/.well-known/'))).toHaveLength(1);
  // The issuer has another key; a change of the settings has it asked again.
  issuer.signer = testIssuer('k2');
  issuer.keys = [issuer.signer.key];
  await trust(here, issuer.issuer);
  expect(await outcomeOf(here, issuer, (claims) => old.sign(claims))).toBe(REFUSED);
  expect(await outcomeOf(here, issuer, (claims, { signer }) => signer.sign(claims))).toBe('none');
});

test('OID-24 times are compared by the clock of the keep', async () => {
  const clock = new ManualClock();
  await using issuer = await CraftedIssuer.start();
  await using here = await served({ clock });
  await trust(here, issuer.issuer);
  const at = (members: (now: number) => object) => (claims: object) =>
    issuer.signer.sign({ ...claims, ...members(Math.floor(clock.now() / 1_000)) });
  expect(
    await outcomeOf(
      here,
      issuer,
      at((now) => ({ iat: now, exp: now + 9 })),
    ),
  ).toBe('none');
  const late = at((now) => ({ iat: now - 90, exp: now - 61 }));
  expect(await outcomeOf(here, issuer, late)).toBe(REFUSED);
});

test('OID-28 an issuer that cannot be asked stops nothing else, and is left alone', async () => {
  await using issuer = await CraftedIssuer.start();
  await using good = await CraftedIssuer.start();
  await using here = await served();
  const { issuer: url } = issuer;
  const down = 'issuer_unavailable';
  const failing: readonly CraftedIssuer['instead'][] = [
    (_request, response) => (response.writeHead(500).end(), true),
    (_request, response) => (response.writeHead(302, { location: '/keys' }).end(), true),
    (_request, response) => (response.end('x'.repeat(70_000)), true),
    (_request, response) => (response.end('no document'), true),
    (request) => (request.socket.destroy(), true),
  ];
  for (const instead of failing) {
    issuer.instead = instead;
    const before = issuer.asked.length;
    await trust(here, url);
    expect(await codeOf(begin(here))).toBe(down);
    expect(await codeOf(begin(here))).toBe(down);
    expect(issuer.asked.length - before).toBe(1);
  }
  issuer.instead = () => false;
  for (const stated of [
    { issuer: 'https://other.example.test' },
    { issuer: `${url}/` },
    { authorization_endpoint: 'javascript:alert(1)' },
    { token_endpoint: undefined },
    { jwks_uri: undefined },
  ]) {
    issuer.stated = stated;
    await trust(here, url);
    expect([stated, await codeOf(begin(here))]).toEqual([stated, down]);
  }
  issuer.stated = {};
  await trust(here, url);
  const { attempt, authorization_url } = await begin(here);
  issuer.instead = (request, response) =>
    request.url === '/token' && (response.writeHead(503).end(), true);
  const callback = issuer.callback(authorization_url);
  expect(await codeOf(here.chief.signIn.complete(attempt, callback))).toBe(down);
  // It was not the end of the sign-in.
  issuer.instead = () => false;
  expect(await codeOf(here.chief.signIn.complete(attempt, callback))).toBe('none');
  await trust(here, good.issuer);
  const bob = { sub: 'u2', preferred_username: 'bob' };
  const made = (claims: object) => good.signer.sign({ ...claims, ...bob });
  expect(await outcomeOf(here, good, made)).toBe('none');
});

test('OID-28 no issuer at a private address is called, wherever it is named', async () => {
  await using issuer = await CraftedIssuer.start();
  await using strict = await served({ allowedAddresses: [] });
  for (const url of [
    issuer.issuer,
    issuer.issuer.replace('http:', 'https:'),
    'https://169.254.169.254',
    'https://[::1]',
    'https://localhost',
  ]) {
    await trust(strict, url);
    expect([url, await codeOf(begin(strict))]).toEqual([url, 'issuer_unavailable']);
  }
  expect(issuer.asked).toEqual([]);
  expect(new Set(await reasonsOf(strict.root, null))).toEqual(new Set(['address_refused']));
  // Nor is one that a permitted issuer names.
  await using here = await served();
  const inside = 'https://10.1.2.3';
  issuer.stated = { token_endpoint: `${inside}/token` };
  await trust(here, issuer.issuer);
  const { attempt, authorization_url } = await begin(here);
  const complete = here.chief.signIn.complete(attempt, issuer.callback(authorization_url));
  expect(await codeOf(complete)).toBe('issuer_unavailable');
  issuer.stated = { jwks_uri: `${inside}/keys` };
  await trust(here, issuer.issuer);
  expect(await outcomeOf(here, issuer, (claims) => issuer.signer.sign(claims))).toBe(
    'issuer_unavailable',
  );
  expect(new Set(await reasonsOf(here.root, null))).toEqual(new Set(['address_refused']));
});
