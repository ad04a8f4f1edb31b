/**
 * Headers that depend on the request (docs/contract/conventions.md#con-10). The driver checks the
 * common headers of every response in all tests.
 */
import { describe, expect, test } from 'vitest';
import { openKeep } from '@agentkeep/core';
import { testStore } from '@agentkeep/testkit/test-store';
import { createServer } from '@agentkeep/server';
import { outcome, refused } from '../harness/answer.js';
import { overHttp } from '../harness/http-fixture.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

describe('every kind of answer', () => {
  overHttp('all responses carry the common headers', async (http) => {
    const large = JSON.stringify({ text: 'x'.repeat(70_000) });
    const replies = [
      await http.send('GET', '/health'),
      await http.send('GET', '/openapi.json'),
      await http.send('GET', '/nowhere'),
      await http.send('PUT', '/health'),
      await http.send('GET', '/api/v1/identity'),
      await http.get('/api/v1/identity'),
      await http.post('/api/v1/credentials', '{'),
      await http.post('/api/v1/credentials', large),
    ];
    const statuses = replies.map(({ status }) => status);
    expect(statuses).toEqual([200, 200, 404, 405, 401, 200, 400, 413]);
  });

  const onlyOne = {
    id: 'one',
    name: 'one',
    endpointType: 'GeneralApi',
    maxRequests: 1,
    windowSecs: 60,
    enabled: true,
    createdAtMillis: 0,
    updatedAtMillis: 0,
    createdBy: 'system',
  } as const;

  overHttp(
    'CON-14, CON-67, CON-91 a rate-limit 429 is flat and says when to retry',
    async (http) => {
      expect((await http.get('/api/v1/identity')).headers.get('x-ratelimit-remaining')).toBe('0');
      const reply = await http.get('/api/v1/identity');
      expect(reply.status).toBe(429);
      expect(reply.body).toMatchObject({ error: 'rate_limit_exceeded', limit: 1, remaining: 0 });
      expect(Number(reply.headers.get('retry-after'))).toBe(60);
    },
    { rateLimitPolicies: [onlyOne] },
  );

  overHttp(
    'ORD-2 an empty bucket is reported before any other check',
    async (http) => {
      const bad = { Authorization: 'Bearer wrong' };
      expect(outcome(await http.get('/api/v1/identity', bad))).toBe(refused.unauthorized);
      expect((await http.get('/api/v1/identity', bad)).status).toBe(429);
      expect((await http.send('GET', '/nowhere')).status).toBe(429);
      expect((await http.get('/api/v1/identity')).status).toBe(200);
      expect((await http.post('/api/v1/credentials', '{')).status).toBe(429);
    },
    { rateLimitPolicies: [onlyOne] },
  );
});

describe('X-Request-Id', () => {
  overHttp('CON-16 a usable id of the caller is returned', async (http) => {
    for (const id of ['a', 'x'.repeat(128), '!~"{}']) {
      for (const path of ['/health', '/nowhere', '/api/v1/identity']) {
        const reply = await http.send('GET', path, { headers: { 'X-Request-Id': id } });
        expect(reply.headers.get('x-request-id')).toBe(id);
      }
    }
  });

  overHttp('CON-16 any other is replaced by a new UUID', async (http) => {
    const seen = new Set<string>();
    for (const id of ['', 'x'.repeat(129), 'a b', 'é', undefined]) {
      const headers: Record<string, string> = id === undefined ? {} : { 'X-Request-Id': id };
      const reply = await http.send('GET', '/health', { headers });
      expect(reply.headers.get('x-request-id')).toMatch(UUID);
      seen.add(String(reply.headers.get('x-request-id')));
    }
    expect(seen.size).toBe(5);
  });
});

describe('WWW-Authenticate', () => {
  overHttp('CON-15 names an error if and only if a Bearer token was sent', async (http) => {
    const challenge = async (headers: Record<string, string>) =>
      (await http.send('GET', '/api/v1/identity', { headers })).headers.get('www-authenticate');
    expect(await challenge({})).toBe('Bearer');
    expect(await challenge({ Authorization: 'Basic dTpw' })).toBe('Bearer');
    expect(await challenge({ Authorization: 'Bearer wrong' })).toBe('Bearer error="invalid_token"');
  });
});

describe('CORS', () => {
  const origin = 'https://console.example';
  const ask = { Origin: origin, 'Access-Control-Request-Method': 'POST' };
  const granted = (headers: Headers) =>
    [...headers.keys()].filter((name) => name.startsWith('access-control-'));

  overHttp('CON-18, CON-133 CORS is off by default', async (http) => {
    const reply = await http.send('GET', '/health', { headers: { Origin: origin } });
    expect(granted(reply.headers)).toEqual([]);
    const preflight = await http.send('OPTIONS', '/api/v1/identity', { headers: ask });
    expect(outcome(preflight)).toBe('405 method_not_allowed');
    expect(granted(preflight.headers)).toEqual([]);
  });

  test('OPR-C57, CON-19, OPR-65 one configured origin is allowed, without cookies, and no other', async () => {
    await using keep = await openKeep({ store: testStore() });
    const app = createServer(keep, { adminOrigin: origin });
    const preflight = await app.request('/api/v1/credentials', { method: 'OPTIONS', headers: ask });
    expect(preflight.ok).toBe(true);
    expect(Object.fromEntries(preflight.headers)).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-allow-methods': 'GET, POST',
      'access-control-allow-headers': 'Authorization, Content-Type',
      'access-control-max-age': '300',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    for (const [path, methods] of [
      ['/api/v1/memory/retention', 'GET, POST, PUT'],
      ['/api/v1/webhooks/x', 'GET, POST, PUT, DELETE'],
    ] as const) {
      const { headers } = await app.request(path, { method: 'OPTIONS', headers: ask });
      expect(headers.get('access-control-allow-methods')).toBe(methods);
    }
    const { headers: shown } = await app.request('/nowhere', { headers: { Origin: origin } });
    expect(shown.get('access-control-expose-headers')).toMatch(/^Retry-After, .*X-Request-Id$/);
    for (const [from, allowed] of [
      [origin, origin],
      ['https://evil.example', null],
      [`${origin}.evil.example`, null],
      ['null', null],
    ] as const) {
      for (const path of ['/health', '/api/v1/identity', '/nowhere']) {
        const { headers } = await app.request(path, { headers: { Origin: from } });
        expect(headers.get('access-control-allow-origin')).toBe(allowed);
        expect(headers.has('access-control-expose-headers')).toBe(allowed !== null);
        expect(headers.has('access-control-allow-credentials')).toBe(false);
        expect(headers.get('vary')).toMatch(/\borigin\b/i);
      }
    }
  });

  test.each([
    'http://console.example',
    'https://console.example/',
    'https://console.example/path',
    'https://*.example',
    '*',
    'null',
    'https://user@console.example',
    '',
  ])('OPR-C57 %j is not an exact HTTPS origin', async (adminOrigin) => {
    await using keep = await openKeep({ store: testStore() });
    expect(() => createServer(keep, { adminOrigin })).toThrow(TypeError);
  });
});
