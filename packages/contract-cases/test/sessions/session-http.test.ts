/** Sessions over HTTP: optional bodies, sizes, which proofs are read, forged tokens. */
import { createHmac, createSign, generateKeyPairSync } from 'node:crypto';
import { createAdmin } from '@agentkeep/core/operator';
import { expect } from 'vitest';
import { outcome, refused } from '../harness/answer.js';
import { type HttpFixture, overHttp as declare } from '../harness/http-fixture.js';
import { type Login, PASSWORD, tokens } from './session-fixture.js';

const LOGIN = '/api/v1/auth/login';
const REFRESH = '/api/v1/auth/refresh';
const LOGOUT = '/api/v1/auth/logout';
const REVOKE = '/api/v1/auth/revoke';
const JWKS = '/.well-known/jwks.json';
const JSON_TYPE = { 'Content-Type': 'application/json' };
const asText = { 'Content-Type': 'text/plain' };
const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
const credentials = { username: 'ann', password: PASSWORD, tenant_id: 'acme' };

const overHttp = (title: string, run: (http: HttpFixture) => Promise<void>): void =>
  declare(title, run, { settings: { tokens } });

/** Logs in as `ann` of the tenant, making the account on the first call. */
async function logIn(http: HttpFixture): Promise<Login> {
  const { username, password, tenant_id: tenantId } = credentials;
  await createAdmin(http.fixture.keep, {
    username,
    password,
    tenantId,
    credentialId: http.fixture.admin.id,
  }).catch(() => undefined);
  const reply = await http.send('POST', LOGIN, {
    headers: JSON_TYPE,
    body: JSON.stringify(credentials),
  });
  return reply.body as Login;
}

overHttp(
  'SES-C21, CON-112, CON-129 a logout needs no body and no content type, and reads neither',
  async (http) => {
    const bodies = [
      {},
      { body: 'anything', headers: asText },
      { body: '{"user_id":', headers: JSON_TYPE },
      { body: ' '.repeat(8_192), headers: {} },
    ];
    for (const { body, headers } of bodies) {
      const { access_token: token } = await logIn(http);
      const sending = { headers: { ...headers, ...bearer(token) }, body };
      const reply = await http.send('POST', `${LOGOUT}?all=1`, sending);
      expect([reply.status, reply.body]).toEqual([
        200,
        { success: true, message: expect.any(String) },
      ]);
      expect(outcome(await http.send('POST', LOGOUT, sending))).toBe(refused.unauthorized);
    }
    const { access_token: token } = await logIn(http);
    const large = { headers: bearer(token), body: ' '.repeat(8_193) };
    expect(outcome(await http.send('POST', LOGOUT, large))).toBe(refused.tooLarge);
    expect(outcome(await http.send('POST', LOGOUT, { headers: bearer(token) }))).toBe('200');
  },
);

overHttp('SES-C19 a refresh without a body needs no content type either', async (http) => {
  const { access_token: token, refresh_token } = await logIn(http);
  const refresh = async (headers: Record<string, string>, body?: string): Promise<string> =>
    outcome(await http.send('POST', REFRESH, { headers, body }));
  const document = JSON.stringify({ refresh_token });
  expect(await refresh(bearer(token))).toBe('200');
  expect(await refresh({ ...bearer(token), ...JSON_TYPE }, '{}')).toBe('200');
  expect(await refresh({ ...bearer(token), ...JSON_TYPE }, '')).toBe('200');
  expect(await refresh(JSON_TYPE, document)).toBe('200');
  // With a refresh token, headers are not read as proofs.
  expect(await refresh({ ...JSON_TYPE, ...bearer('x'), 'X-API-Key': 'y' }, document)).toBe('200');
  expect(await refresh({ ...bearer(token), 'X-API-Key': 'y' })).toBe(refused.unauthorized);
  expect(await refresh({})).toBe(refused.unauthorized);
  for (const body of [
    '{"refresh_token":null}',
    '{"refresh":1}',
    '{"refresh_token":1}',
    '[]',
    '{',
  ]) {
    expect(await refresh({ ...bearer(token), ...JSON_TYPE }, body)).toBe(refused.invalid);
  }
  expect(await refresh({ ...bearer(token), ...asText }, '{}')).toBe(refused.invalid);
  expect(await refresh(JSON_TYPE, document.padEnd(8_192))).toBe('200');
  expect(await refresh(JSON_TYPE, document.padEnd(8_193))).toBe(refused.tooLarge);
});

overHttp('CON-79 a login ignores proofs and reads only its document', async (http) => {
  await logIn(http);
  const text = JSON.stringify(credentials);
  const attempt = async (headers: Record<string, string>, body: string): Promise<string> =>
    outcome(await http.send('POST', LOGIN, { headers, body }));
  expect(await attempt({ ...JSON_TYPE, ...bearer('x'), 'X-API-Key': 'y' }, text)).toBe('200');
  expect(await attempt(JSON_TYPE, text.padEnd(8_192))).toBe('200');
  expect(await attempt(JSON_TYPE, text.padEnd(8_193))).toBe(refused.tooLarge);
  expect(await attempt(asText, text)).toBe(refused.invalid);
  expect(await attempt(JSON_TYPE, '')).toBe(refused.invalid);
  expect(await attempt(JSON_TYPE, text.replace('}', ',"remember":true}'))).toBe(refused.invalid);
  expect(await attempt(JSON_TYPE, text.replace('{', '{"username":"ann",'))).toBe(refused.invalid);
  const query = await http.send('POST', `${LOGIN}?username=ann`, {
    headers: JSON_TYPE,
    body: text,
  });
  expect(outcome(query)).toBe(refused.invalid);
});

overHttp('SES-C16 a token is revoked by itself, whatever other proof is sent', async (http) => {
  const { access_token: token } = await logIn(http);
  const body = JSON.stringify({ token });
  for (const proof of [{}, bearer('x'), bearer(token), { 'X-API-Key': 'y' }]) {
    const reply = await http.send('POST', REVOKE, { headers: { ...JSON_TYPE, ...proof }, body });
    expect(outcome(reply)).toBe('200');
  }
  const reply = await http.send('POST', REVOKE, { headers: JSON_TYPE, body: '{"token":"x"}' });
  expect([reply.status, reply.body]).toEqual([
    400,
    { error: 'invalid_token', message: expect.any(String) },
  ]);
});

overHttp('SES-C26, CON-129, CON-77 the key set is public and read-only', async (http) => {
  const replies = [await http.send('GET', JWKS), await http.get(`${JWKS}?now=1`)];
  expect(replies.map(({ status, body }) => [status, body])).toEqual([
    [200, replies[0]?.body],
    [200, replies[0]?.body],
  ]);
  expect(outcome(await http.send('POST', JWKS))).toBe('405 method_not_allowed');
});

overHttp('SES-67 a forged token is 401 on every surface', async (http) => {
  const { access_token: good } = await logIn(http);
  const [head = '', body = '', signature = ''] = good.split('.');
  const header = JSON.parse(Buffer.from(head, 'base64url').toString()) as Record<string, unknown>;
  const keys = (await http.send('GET', JWKS)).body as { keys: { n: string }[] };
  const stranger = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const encoded = (value: unknown): string =>
    Buffer.from(JSON.stringify(value)).toString('base64url');
  const signedBy = (input: string): string =>
    `${input}.${createSign('sha256').update(input).sign(stranger.privateKey, 'base64url')}`;
  const none = encoded({ ...header, alg: 'none' });
  const hs256 = `${encoded({ ...header, alg: 'HS256' })}.${body}`;
  const secret = JSON.stringify(keys.keys[0]);
  const jwk = stranger.publicKey.export({ format: 'jwk' });
  const forged = [
    `${none}.${body}.`,
    `${none}.${body}.${signature}`,
    `${hs256}.${createHmac('sha256', secret).update(hs256).digest('base64url')}`,
    signedBy(`${head}.${body}`),
    signedBy(`${encoded({ ...header, jwk })}.${body}`),
    `${head}.${encoded({ sub: 'root' })}.${signature}`,
    `${good}.${signature}`,
    `${good.slice(0, -1)}${good.endsWith('A') ? 'B' : 'A'}`,
    `${head}.${body}`,
    'a'.repeat(8_193),
  ];
  for (const token of forged) {
    const replies = [
      await http.send('GET', '/api/v1/identity', { headers: bearer(token) }),
      await http.send('GET', '/api/v1/audit-logs', { headers: bearer(token) }),
      await http.send('POST', LOGOUT, { headers: bearer(token) }),
      await http.send('POST', REFRESH, { headers: bearer(token) }),
    ];
    for (const reply of replies) {
      expect(outcome(reply), token).toBe(refused.unauthorized);
      expect(reply.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"');
    }
  }
  expect(outcome(await http.send('GET', '/api/v1/identity', { headers: bearer(good) }))).toBe(
    '200',
  );
});
