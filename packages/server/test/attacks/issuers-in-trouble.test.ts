/** Strangers who have an issuer asked while it is down, slow, or signs for other purposes. */
import type { RequestListener } from 'node:http';
import { connect } from '@agentkeep/client';
import { inMemoryStore, openKeep } from '@agentkeep/core';
import { bootstrapTenant } from '@agentkeep/core/operator';
import { ManualClock, quickPasswords } from '@agentkeep/core/testing';
import { testIssuer } from '@agentkeep/testkit/test-issuer';
import { eventually } from '@agentkeep/testkit/eventually';
import { afterEach, expect, test, vi } from 'vitest';
import { createServer, httpDocumentFetcher } from '../../src/index.js';
import { KeyServer } from '../federation/key-server.js';
import { CraftedIssuer } from '../openid/crafted-issuer.js';
import { CLIENT } from '../openid/people-provider.js';
import { codeOf, REDIRECT, reasonsOf, served, type Served, trust } from '../openid/sign-in-kit.js';

const url = 'https://localhost';
const DOWN = 'issuer_unavailable';
const JSON_TYPE = { 'content-type': 'application/json' };
const LOGOUT = { 'http://schemas.openid.net/event/backchannel-logout': {} };

afterEach(() => {
  vi.useRealTimers();
});

/** A tenant that trusts the keys at an address, and what an assertion of it gets. */
async function federated(jwksUri: string, clock: ManualClock) {
  const documentFetcher = httpDocumentFetcher({ allowedAddresses: ['127.0.0.1'] });
  const ports = { store: inMemoryStore(), passwords: quickPasswords, documentFetcher, clock };
  const keep = await openKeep(ports);
  const { secret } = await bootstrapTenant(keep, { tenantId: 'acme', subjectId: 'ops' });
  const app = createServer(keep);
  const fetch = (input: string, init?: RequestInit) => Promise.resolve(app.request(input, init));
  const admin = connect({ url, secret, fetch });
  const keys = { mode: 'address', jwks_uri: jwksUri } as const;
  await admin.issuers.put('ci', { audience: 'agentkeep', keys }, 0);
  const { id } = await admin.credentials.issueFederated(
    { subject_id: 'ci', capabilities: ['memory_read'], grants: [] },
    { issuer: 'ci', sub: { mode: 'prefix', prefix: 'w' } },
  );
  const statusOf = async (issuer: ReturnType<typeof testIssuer>, header = {}) => {
    const exp = Math.floor(clock.now() / 1_000) + 3_600;
    const assertion = issuer.sign({ aud: 'agentkeep', sub: 'w', exp }, header);
    const body = JSON.stringify({ contract_version: 1, credential_id: id, assertion });
    const init = { method: 'POST', headers: JSON_TYPE, body };
    return (await fetch(`${url}/api/v1/identity/federated-token`, init)).status;
  };
  return { statusOf, [Symbol.asyncDispose]: () => keep.close() };
}

const failing: Readonly<Record<string, RequestListener>> = {
  status: (_request, response) => response.writeHead(500).end(),
  text: (_request, response) => response.end('keys'),
  empty: (_request, response) => response.end('{"keys":[]}'),
  unusable: (_request, response) => response.end('{"keys":[{"kty":"oct","k":"AAAA"}]}'),
  closed: (request) => request.socket.destroy(),
};

test.each(Object.keys(failing))(
  'FED-11 a junk key id takes no known keys away while the issuer is down: %s',
  async (name) => {
    const clock = new ManualClock();
    const [good, junk] = [testIssuer('k1'), testIssuer('junk')];
    const up: RequestListener = (_request, response) =>
      response.end(JSON.stringify({ keys: [good.key] }));
    let answer = up;
    let asked = 0;
    await using server = await KeyServer.start((request, response) => {
      asked += 1;
      answer(request, response);
    });
    await using here = await federated(server.url, clock);
    expect(await here.statusOf(good)).toBe(200);
    answer = failing[name] ?? up;
    clock.advance(30_000);
    expect([await here.statusOf(junk), await here.statusOf(junk)]).toEqual([503, 503]);
    expect(asked).toBe(2);
    expect(await here.statusOf(good)).toBe(200);
    clock.advance(569_999);
    expect([await here.statusOf(junk), await here.statusOf(good)]).toEqual([503, 200]);
    clock.advance(1);
    expect(await here.statusOf(good)).toBe(503);
    answer = up;
    clock.advance(10_000);
    expect([await here.statusOf(good), await here.statusOf(junk)]).toEqual([200, 401]);
  },
);

test('FED-11, FED-19 a good assertion waits for no fetch of a stranger', async () => {
  const clock = new ManualClock();
  const good = testIssuer('k1');
  let isSilent = false;
  const held: (() => void)[] = [];
  await using server = await KeyServer.start((_request, response) => {
    const send = (): void => void response.end(JSON.stringify({ keys: [good.key] }));
    if (isSilent) held.push(send);
    else send();
  });
  await using here = await federated(server.url, clock);
  expect(await here.statusOf(good)).toBe(200);
  isSilent = true;
  clock.advance(30_000);
  const junk = Array.from({ length: 40 }, (_, at) => here.statusOf(testIssuer(`junk ${at}`)));
  await eventually(() => {
    expect(held).toHaveLength(1);
  });
  expect(await here.statusOf(good)).toBe(200);
  held[0]?.();
  expect(new Set(await Promise.all(junk))).toEqual(new Set([401]));
});

test('FED-19 assertions for other purposes are refused', async () => {
  const good = testIssuer('k1');
  await using server = await KeyServer.start((_request, response) => {
    response.end(JSON.stringify({ keys: [good.key] }));
  });
  await using here = await federated(server.url, new ManualClock());
  for (const typ of [undefined, 'JWT', 'jwt', 'JOSE', 'application/JWT', 'at+jwt']) {
    expect([typ, await here.statusOf(good, { typ })]).toEqual([typ, 200]);
  }
  for (const typ of [
    'logout+jwt',
    'dpop+jwt',
    'application/logout+jwt',
    'id+jwt',
    'x',
    '',
    1,
    null,
  ]) {
    expect([typ, await here.statusOf(good, { typ })]).toEqual([typ, 401]);
  }
});

/** Begins a sign-in, and returns how to complete it with a code. */
async function begun({ chief }: Served, issuer: CraftedIssuer) {
  const asked = { issuer: 'staff', redirectUri: REDIRECT, tenantId: 'acme' };
  const { attempt, authorization_url: address } = await chief.signIn.begin(asked);
  const nonce = new URL(address).searchParams.get('nonce') ?? '';
  const complete = (code: string): Promise<string> =>
    codeOf(chief.signIn.complete(attempt, issuer.callback(address, { code })));
  return { nonce, complete };
}

/** Signs in a person of the issuer; `sign` makes the token. */
async function outcomeOf(here: Served, issuer: CraftedIssuer, sign = issuer.makeToken) {
  issuer.makeToken = sign;
  return (await begun(here, issuer)).complete('c1');
}

test('OID-28 nineteen people who sign in at once all get in, four of them at a time', async () => {
  await using issuer = await CraftedIssuer.start();
  await using here = await served();
  await trust(here, issuer.issuer);
  const people = await Promise.all(Array.from({ length: 19 }, () => begun(here, issuer)));
  issuer.makeToken = (claims) => {
    const at = Number(issuer.forms.at(-1)?.get('code'));
    const nonce = people[at]?.nonce;
    return issuer.signer.sign({ ...claims, nonce, sub: `u${at}`, preferred_username: `u${at}` });
  };
  let underWay = 0;
  let most = 0;
  issuer.instead = (_request, response) => {
    underWay += 1;
    most = Math.max(most, underWay);
    response.on('close', () => (underWay -= 1));
    return false;
  };
  const outcomes = await Promise.all(people.map(({ complete }, at) => complete(String(at))));
  expect(outcomes).toEqual(Array(19).fill('none'));
  expect(most).toBeLessThanOrEqual(4);
});

test('OID-24, OID-27 a token for another client or purpose lets nobody in', async () => {
  await using issuer = await CraftedIssuer.start();
  await using here = await served();
  await trust(here, issuer.issuer);
  const sign = (members: object, header: object) => (claims: object) =>
    issuer.signer.sign({ ...claims, ...members }, { ...header });
  const wrong = [
    [{ azp: 'other' }, {}],
    [{ aud: [CLIENT.client_id], azp: 'other' }, {}],
    [{ azp: null }, {}],
    ...['logout+jwt', 'at+jwt', 'dpop+jwt', 'application/logout+jwt'].map((typ) => [{}, { typ }]),
  ] as const;
  for (const [members = {}, header = {}] of wrong) {
    const outcome = await outcomeOf(here, issuer, sign(members, header));
    expect([members, header, outcome]).toEqual([members, header, 'sign_in_refused']);
  }
  expect(new Set(await reasonsOf(here.root, null))).toEqual(new Set(['claims', 'type']));
  const right = [
    [{ azp: CLIENT.client_id }, {}],
    ...[undefined, 'jwt'].map((typ) => [{}, { typ }]),
  ];
  for (const [members = {}, header = {}] of right) {
    expect(await outcomeOf(here, issuer, sign(members, header))).toBe('none');
  }
});

test('OID-28, OID-29 known keys go on while the issuer gives out none', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  await using issuer = await CraftedIssuer.start();
  await using here = await served();
  await trust(here, issuer.issuer);
  const good = issuer.signer;
  const logout = (signer: typeof good, typ = 'logout+jwt') => {
    const iat = Math.floor(Date.now() / 1_000);
    const named = { iss: issuer.issuer, aud: CLIENT.client_id, sub: 'u1', events: LOGOUT };
    const token = signer.sign({ ...named, iat, exp: iat + 60, jti: crypto.randomUUID() }, { typ });
    const document = { tenant_id: 'acme', issuer: 'staff', logout_token: token };
    const init = { method: 'POST', headers: JSON_TYPE, body: JSON.stringify(document) };
    return here.fetch(`${url}/api/v1/sign-in/logout`, init).then(({ status }) => status);
  };
  const by = (signer: typeof good) => outcomeOf(here, issuer, (claims) => signer.sign(claims));
  expect([await by(good), await logout(good)]).toEqual(['none', 200]);
  issuer.instead = ({ url: path }, response) =>
    path === '/keys' && (response.writeHead(500).end(), true);
  vi.setSystemTime(Date.now() + 61_000);
  const junk = testIssuer('junk');
  expect([await by(junk), await by(good)]).toEqual([DOWN, 'none']);
  expect([await logout(junk), await logout(good)]).toEqual([503, 200]);
  issuer.instead = () => false;
  vi.setSystemTime(Date.now() + 61_000);
  expect([await by(junk), await by(good)]).toEqual(['sign_in_refused', 'none']);
  expect([await logout(junk), await logout(good)]).toEqual([400, 200]);
  expect([await logout(good, 'JWT'), await logout(good, 'at+jwt')]).toEqual([200, 400]);
});
