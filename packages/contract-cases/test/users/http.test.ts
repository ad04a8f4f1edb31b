/** Users over HTTP only: paths, methods and sizes (docs/contract/users.md). */
import { expect } from 'vitest';
import { outcome, refused } from '../harness/answer.js';
import { unknownId } from '../harness/documents.js';
import { overHttp } from '../harness/http-fixture.js';

const tooLarge = (bytes: number): string => JSON.stringify({ password: 'x'.repeat(bytes) });
const json = { 'Content-Type': 'application/json' };

overHttp('SES-C38 bodies are limited, more strictly with a password', async (http) => {
  const proof = { Authorization: `Bearer ${http.fixture.admin.token}`, ...json };
  const put = async (path: string, body: string, headers: Record<string, string> = proof) =>
    outcome(await http.send('PUT', path, { headers, body }));
  const user = `/api/v1/users/${unknownId}`;
  expect(outcome(await http.post('/api/v1/users', tooLarge(65_537)))).toBe(refused.tooLarge);
  expect(outcome(await http.post('/api/v1/users', tooLarge(65_000)))).toBe(refused.invalid);
  expect(await put(user, tooLarge(65_537))).toBe(refused.tooLarge);
  expect(await put(user, tooLarge(65_000))).toBe('400 weak_password');
  expect(await put(`${user}/roles`, tooLarge(65_537))).toBe(refused.tooLarge);
  expect(await put(`${user}/password`, tooLarge(8_193))).toBe(refused.tooLarge);
  expect(await put(`${user}/password`, tooLarge(8_000))).toBe(refused.invalid);
  // Checks that come before the body also come before its size.
  expect(await put('/api/v1/users/me', tooLarge(65_537))).toBe(refused.invalid);
  expect(await put('/api/v1/users/me/password', tooLarge(8_193))).toBe(refused.forbidden);
  expect(await put(user, tooLarge(65_537), json)).toBe(refused.unauthorized);
});

overHttp('bodies without a JSON type, and invalid JSON, are refused', async (http) => {
  const proof = { Authorization: `Bearer ${http.fixture.admin.token}` };
  const path = `/api/v1/users/${unknownId}`;
  for (const [headers, body] of [
    [proof, '{}'],
    [{ ...proof, ...json }, '{'],
    [{ ...proof, ...json }, ''],
    [{ ...proof, ...json }, '{"email":null,"email":null}'],
  ] as const) {
    const answer = await http.send('PUT', path, { headers, body });
    expect(outcome(answer)).toBe(refused.invalid);
    expect(Object.keys(Object(answer.body) as object).sort()).toEqual([
      'error',
      'members',
      'message',
    ]);
  }
});

overHttp('me names the caller in one path only', async (http) => {
  const proof = { Authorization: `Bearer ${http.fixture.admin.token}`, ...json };
  const call = async (method: string, path: string) =>
    outcome(
      await http.send(method, path, { headers: proof, body: method === 'GET' ? undefined : '{}' }),
    );
  expect(await call('PUT', '/api/v1/users/me/password')).toBe(refused.forbidden);
  expect(await call('PUT', '/api/v1/users/me/roles')).toBe(refused.invalid);
  expect(await call('GET', '/api/v1/users/me')).toBe(refused.invalid);
  expect(await call('PUT', '/api/v1/users/me')).toBe(refused.invalid);
  expect(await call('DELETE', '/api/v1/users/me')).toBe(refused.invalid);
  expect(await call('GET', '/api/v1/users/me/password')).toBe('405 method_not_allowed');
  expect(await call('POST', `/api/v1/users/${unknownId}`)).toBe('405 method_not_allowed');
  expect(await call('DELETE', '/api/v1/users')).toBe('405 method_not_allowed');
  expect(await call('PUT', `/api/v1/users/${unknownId}/name`)).toBe('404 not_found');
});

overHttp('parameters are known and not repeated', async (http) => {
  for (const query of ['limit=1&limit=1', 'limit=', 'x=1', 'tenant_id=acme&tenant_id=acme']) {
    expect(outcome(await http.get(`/api/v1/users?${query}`)), query).toBe(refused.invalid);
  }
  expect(outcome(await http.get('/api/v1/users?tenant_id=acme&limit=1'))).toBe('200');
});
