/** Issuers whose keys are fetched, and the token endpoint, with counterparts that are not ours. */
import { connect } from '@agentkeep/client';
import { inMemoryStore, openKeep } from '@agentkeep/core';
import { bootstrapTenant } from '@agentkeep/core/operator';
import { ManualClock, quickPasswords } from '@agentkeep/core/testing';
import * as oauth from 'oauth4webapi';
import { expect, test } from 'vitest';
import { testIssuer } from '@agentkeep/testkit/test-issuer';
import { createServer, httpDocumentFetcher } from '../../src/index.js';
import { KeyServer } from './key-server.js';
import { RunningProvider } from './oauth-provider.js';

const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const TOKEN_EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';
const url = 'https://localhost';
const as: oauth.AuthorizationServer = { issuer: url, token_endpoint: `${url}/oauth/token` };
const spec = { capabilities: ['memory_read', 'memory_write'], grants: [] } as const;

/** A keep that serves a tenant, and its administrator. */
async function served(options: { allowedAddresses?: readonly string[]; clock?: ManualClock } = {}) {
  const { allowedAddresses = ['127.0.0.1'], clock } = options;
  const keep = await openKeep({
    store: inMemoryStore(),
    passwords: quickPasswords,
    documentFetcher: httpDocumentFetcher({ allowedAddresses }),
    ...(clock === undefined ? {} : { clock }),
  });
  const { secret } = await bootstrapTenant(keep, { tenantId: 'acme', subjectId: 'ops' });
  const app = createServer(keep);
  const fetch = (input: string, init?: RequestInit) => Promise.resolve(app.request(input, init));
  const admin = connect({ url, secret, fetch });
  return { admin, fetch, [Symbol.asyncDispose]: () => keep.close() };
}

type Served = Awaited<ReturnType<typeof served>>;

/** Trusts an issuer, and returns the id of a credential that any of its subjects proves. */
async function trusted({ admin }: Served, name: string, trust: object, sub = 'w') {
  await admin.issuers.put(name, { audience: 'agentkeep', ...trust } as never, 0);
  const rule = { issuer: name, sub: { mode: 'prefix', prefix: sub } } as const;
  const { id } = await admin.credentials.issueFederated(
    { ...spec, subject_id: name } as never,
    rule,
  );
  return id;
}

async function post({ fetch }: Served, form: Readonly<Record<string, string>>, headers = {}) {
  const body = new URLSearchParams(form).toString();
  const type = { 'content-type': 'application/x-www-form-urlencoded' };
  const response = await fetch(`${url}/oauth/token`, {
    method: 'POST',
    body,
    headers: { ...type, ...headers },
  });
  const answer = (await response.json()) as Readonly<Record<string, unknown>>;
  return { status: response.status, error: answer['error'], answer };
}

test('FED-11, FED-24, FED-25 a token of another provider is exchanged by another library', async () => {
  await using provider = await RunningProvider.start();
  await using here = await served();
  const trust = { issuer: provider.issuer, audience: 'urn:agentkeep', keys: { mode: 'discovery' } };
  const id = await trusted(here, 'provider', trust);
  const assertion = await provider.assertion('urn:agentkeep');
  const options = { [oauth.customFetch]: here.fetch };
  const grants = [
    [JWT_BEARER, { assertion }],
    [
      TOKEN_EXCHANGE,
      { subject_token: assertion, subject_token_type: 'urn:ietf:params:oauth:token-type:jwt' },
    ],
  ] as const;
  for (const [grant, members] of grants) {
    const client = { client_id: id };
    const response = await oauth.genericTokenEndpointRequest(
      ...([as, client, oauth.None(), grant, new URLSearchParams(members)] as const),
      options,
    );
    const token = await oauth.processGenericTokenEndpointResponse(as, client, response);
    expect(token).toMatchObject({ token_type: 'bearer', expires_in: 600 });
    const agent = connect({ url, secret: token.access_token, fetch: here.fetch });
    expect((await agent.whoAmI()).id).toBe(id);
  }
  const workload = {
    credentialId: id,
    assertion: () => provider.assertion('urn:agentkeep'),
  };
  const agent = connect({ url, workload, fetch: here.fetch });
  expect((await agent.whoAmI()).spec.subject_id).toBe('provider');
  const wrong = await provider.assertion('urn:other');
  const refused = await post(here, { grant_type: JWT_BEARER, client_id: id, assertion: wrong });
  expect([refused.status, refused.error]).toEqual([400, 'invalid_grant']);
});

test('FED-26, FED-27 a service exchanges for its subjects, by Basic and by Bearer', async () => {
  await using here = await served();
  const { credential, secret } = await here.admin.credentials.issue({
    ...{ subject_id: 'support', grants: [], capabilities: ['memory_read', 'act_for'] },
    act_for: { mode: 'prefix', prefix: 'user-' },
  });
  const client = { client_id: credential.id };
  const response = await oauth.genericTokenEndpointRequest(
    as,
    client,
    oauth.ClientSecretBasic(secret),
    TOKEN_EXCHANGE,
    new URLSearchParams({
      subject_token: 'user-1',
      subject_token_type: 'urn:agentkeep:oauth:token-type:subject',
    }),
    { [oauth.customFetch]: here.fetch },
  );
  const token = await oauth.processGenericTokenEndpointResponse(as, client, response);
  const agent = connect({ url, secret: token.access_token, fetch: here.fetch });
  expect((await agent.whoAmI()).spec.subject_id).toBe('user-1');
  const form = {
    grant_type: TOKEN_EXCHANGE,
    subject_token_type: 'urn:agentkeep:oauth:token-type:subject',
  };
  const bearer = { authorization: `Bearer ${secret}` };
  const by = (subject_token: string, headers: object) =>
    post(here, { ...form, subject_token }, headers);
  expect((await by('user-2', bearer)).answer).toMatchObject({
    issued_token_type: 'urn:ietf:params:oauth:token-type:access_token',
  });
  const foreign = Buffer.from(`${crypto.randomUUID()}:${secret}`).toString('base64');
  expect(await by('ann', bearer)).toMatchObject({ status: 400, error: 'unauthorized_client' });
  for (const headers of [{}, { authorization: `Basic ${foreign}` }, { authorization: 'Basic x' }]) {
    expect(await by('user-1', headers)).toMatchObject({ status: 401, error: 'invalid_client' });
  }
});

test('FED-23, FED-28 malformed token requests are refused as OAuth has it', async () => {
  await using here = await served();
  const usual = { grant_type: JWT_BEARER, client_id: crypto.randomUUID(), assertion: 'x' };
  const cases: readonly (readonly [Readonly<Record<string, string>>, string])[] = [
    [{ ...usual, grant_type: 'password' }, 'unsupported_grant_type'],
    [{ client_id: usual.client_id }, 'invalid_request'],
    [{ ...usual, assertion: '' }, 'invalid_request'],
    [{ ...usual, client_id: 'x' }, 'invalid_request'],
    [{ ...usual, scope: 'memory' }, 'invalid_request'],
    [{ ...usual, grant_type: TOKEN_EXCHANGE, subject_token: 'x' }, 'invalid_request'],
    [usual, 'invalid_grant'],
  ];
  for (const [form, code] of cases) {
    const { status, answer } = await post(here, form);
    expect([form, status, answer]).toEqual([
      form,
      400,
      { error: code, error_description: expect.any(String) },
    ]);
  }
  const twice = `grant_type=${JWT_BEARER}&grant_type=${JWT_BEARER}`;
  for (const [body, type] of [
    [twice, 'application/x-www-form-urlencoded'],
    [JSON.stringify(usual), 'application/json'],
  ] as const) {
    const init = { method: 'POST', body, headers: { 'content-type': type } };
    const response = await here.fetch(`${url}/oauth/token`, init);
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { error: 'invalid_request' },
    ]);
  }
});

test('FED-11 keys are fetched once, and again for an unknown one, with bounds', async () => {
  const clock = new ManualClock();
  let asked = 0;
  const [first, second] = [testIssuer('k1'), testIssuer('k2')];
  let keys = [first.key];
  await using server = await KeyServer.start((_request, response) => {
    asked += 1;
    response.end(JSON.stringify({ keys: [...keys, { kty: 'oct', k: 'AAAA', kid: 'k3' }] }));
  });
  await using here = await served({ clock });
  const id = await trusted(here, 'ci', { keys: { mode: 'address', jwks_uri: server.url } });
  const exchange = (issuer: typeof first, header = {}) => {
    const exp = Math.floor(clock.now() / 1_000) + 600;
    const assertion = issuer.sign({ aud: 'agentkeep', sub: 'w', exp }, header);
    return post(here, { grant_type: JWT_BEARER, client_id: id, assertion });
  };
  const many = await Promise.all(Array.from({ length: 8 }, () => exchange(first)));
  expect(many.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
  expect(asked).toBe(1);
  // Unknown keys are looked for again once in 30 seconds, whatever comes.
  for (const kid of ['k2', 'k4', 'k5']) {
    expect((await exchange(second, { kid })).error).toBe('invalid_grant');
  }
  expect(asked).toBe(1);
  clock.advance(30_000);
  keys = [second.key];
  expect((await exchange(second)).status).toBe(200);
  expect((await exchange(first)).error).toBe('invalid_grant');
  expect(asked).toBe(2);
  clock.advance(600_000);
  expect((await exchange(second)).status).toBe(200);
  expect(asked).toBe(3);
  // A symmetric key of the set counts for nothing.
  expect((await exchange(first, { alg: 'HS256', kid: 'k3' })).error).toBe('invalid_grant');
  expect(asked).toBe(3);
});

test('FED-11, FED-20 an issuer that cannot be asked stops no other, and is left alone', async () => {
  const clock = new ManualClock();
  let asked = 0;
  const ci = testIssuer();
  await using server = await KeyServer.start((request, response) => {
    asked += 1;
    const path = request.url ?? '';
    if (path === '/moved') response.writeHead(302, { location: '/keys' }).end();
    else if (path === '/large') response.end('x'.repeat(70_000));
    else if (path === '/text') response.end('keys');
    else if (path.startsWith('/other')) {
      response.end(JSON.stringify({ issuer: 'http://elsewhere', jwks_uri: `${server.url}/keys` }));
    } else if (path !== '/silent') response.writeHead(500).end();
  });
  await using here = await served({ clock });
  const exp = Math.floor(clock.now() / 1_000) + 600;
  const exchange = (id: string, at: Served = here) => {
    const assertion = ci.sign({ aud: 'agentkeep', sub: 'w', exp, iss: `${server.url}/other` });
    return post(at, { grant_type: JWT_BEARER, client_id: id, assertion });
  };
  const good = await trusted(here, 'good', { keys: { mode: 'inline', keys: [ci.key] } });
  for (const [at, path] of ['/moved', '/large', '/text', '/broken'].entries()) {
    const keys = { mode: 'address', jwks_uri: server.url + path };
    const id = await trusted(here, `bad${path}`, { keys });
    const refused = { status: 503, error: 'temporarily_unavailable' };
    expect(await exchange(id)).toMatchObject(refused);
    expect(await exchange(id)).toMatchObject(refused);
    expect(asked).toBe(at + 1);
    expect((await exchange(good)).status).toBe(200);
  }
  const trust = { issuer: `${server.url}/other`, keys: { mode: 'discovery' } };
  expect((await exchange(await trusted(here, 'other', trust))).status).toBe(503);
  const reached = asked;
  await using strict = await served({ allowedAddresses: [], clock });
  for (const jwks_uri of [
    server.url,
    'https://127.0.0.1/',
    'https://169.254.169.254/',
    'https://[::1]/',
  ]) {
    const id = await trusted(strict, jwks_uri, { keys: { mode: 'address', jwks_uri } });
    expect((await exchange(id, strict)).status).toBe(503);
  }
  expect(asked).toBe(reached);
});
