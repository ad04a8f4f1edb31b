/** Effects of stored rate limit policies on requests (docs/contract/rate-limits.md). */
import type { AuditPage, ShownRateLimit } from '@agentkeep/core';
import { describe, expect, test } from 'vitest';
import { outcome, refused, result } from '../harness/answer.js';
import { httpDriver, type Reply } from '../harness/http-driver.js';
import { installation, type Installation } from '../installation/installation-fixture.js';
import { lasting } from '../harness/lasting-store.js';

const PEER = '192.0.2.1';
const PROXY = '10.1.2.3';
const UNLIMITED = [4_294_967_295, 4_294_967_295, 0];

/** Declares a test of an installation over HTTP. */
function overHttp(title: string, run: (on: Installation) => Promise<void>): void {
  test(title, async () => {
    await using on = await installation(httpDriver);
    await run(on);
  });
}

/** Returns the three rate headers: limit, remaining, reset. */
const stateOf = ({ headers }: Reply): number[] =>
  ['limit', 'remaining', 'reset'].map((name) => Number(headers.get(`x-ratelimit-${name}`)));

const limitOf = (reply: Reply): number => stateOf(reply)[0] ?? -1;
const remainingOf = (reply: Reply): number => stateOf(reply)[1] ?? -1;

/** Sends a request without a proof from an otherwise unused address. */
const get = (on: Installation, path: string, from = PEER): Promise<Reply> =>
  on.send('GET', path, { from });

async function policy(on: Installation, members: object = {}): Promise<ShownRateLimit> {
  const usual = { name: 'Mine', endpoint_type: 'Login', max_requests: 3, window_secs: 60 };
  return result(await on.admin.call('createRateLimit', { document: { ...usual, ...members } }));
}

async function change(on: Installation, id: string, document: object): Promise<void> {
  result(await on.admin.call('updateRateLimit', { id, document }));
}

const memory = (path: string, max_requests: number): object => ({
  endpoint_type: { Custom: path },
  max_requests,
});

describe('which policy applies', () => {
  overHttp(
    'RTL-C41 the newest enabled one of a type; without any, requests are unlimited',
    async (on) => {
      const read = async (): Promise<number[]> => stateOf(await get(on, '/api/v1/login'));
      expect((await read())[0]).toBe(100);
      const older = await policy(on, { max_requests: 3 });
      expect((await read())[0]).toBe(3);
      on.clock.advance(1);
      const newer = await policy(on, { max_requests: 5 });
      expect((await read())[0]).toBe(5);
      await change(on, newer.id, { enabled: false });
      expect((await read())[0]).toBe(3);
      await change(on, older.id, { enabled: false });
      expect((await read())[0]).toBe(100);
      for (const { id, endpoint_type } of result(await on.admin.call('listRateLimits')).policies) {
        if (endpoint_type === 'Login') await on.admin.call('deleteRateLimit', { id });
      }
      expect(await read()).toEqual(UNLIMITED);
      expect(limitOf(await get(on, '/api/v1/keys'))).toBe(100);
    },
  );

  overHttp('of two equally old ones the greater id', async (on) => {
    const made = [
      await policy(on, { max_requests: 3 }),
      await policy(on, { max_requests: 5 }),
      await policy(on, { max_requests: 7, enabled: false }),
    ];
    expect(new Set(made.map(({ created_at }) => created_at)).size).toBe(1);
    expect(made.map(({ id }) => id).toSorted()).toEqual(made.map(({ id }) => id));
    expect(limitOf(await get(on, '/api/v1/login'))).toBe(5);
  });

  overHttp('a new one applies even if the clock was set back', async (on) => {
    on.clock.stepTo(on.clock.now() - 3_600_000);
    await policy(on, { max_requests: 9 });
    expect(limitOf(await get(on, '/api/v1/login'))).toBe(9);
  });

  overHttp('paths belong to types by whole segments', async (on) => {
    await policy(on, { endpoint_type: 'Login', max_requests: 11 });
    await policy(on, { endpoint_type: 'ApiKeyCreation', max_requests: 12 });
    await policy(on, { endpoint_type: 'UserManagement', max_requests: 13 });
    await policy(on, { endpoint_type: 'GeneralApi', max_requests: 14 });
    const expected: [number, string[]][] = [
      [11, ['/api/v1/auth/login', '/api/v1/login', '/api/v1/admin/login']],
      [12, ['/api/v1/keys', '/api/v1/keys/7', '/api/v1/api-keys', '/api/v1/api-keys/7']],
      [13, ['/api/v1/users', '/api/v1/users/me/password', '/api/v1/login-accounts/7/disable']],
      [13, ['/api/v1/admin/login-accounts', '/api/v1/admin/login-accounts/7']],
      [14, ['/api/v1/auth/refresh', '/api/v1/auth/logout', '/api/v1/loginX', '/api/v1/keysX']],
      [14, ['/api/v1/rate-limits', '/nowhere', '/', '/health', '/openapi.json']],
    ];
    for (const [limit, paths] of expected) {
      for (const path of paths) expect(limitOf(await get(on, path)), path).toBe(limit);
    }
  });

  overHttp('RTL-C47 the longest enabled Custom path wins, by whole segments', async (on) => {
    const from = PROXY;
    const limit = async (path: string): Promise<number> => limitOf(await get(on, path, from));
    await policy(on, memory('/api/v1/memory', 21));
    const longer = await policy(on, memory('/api/v1/memory/query', 22));
    await policy(on, memory('/api/v1/users/me', 23));
    expect(await limit('/api/v1/memory/query')).toBe(22);
    expect(await limit('/api/v1/memory/query?limit=1')).toBe(22);
    expect(await limit('/api/v1/memory/queryX')).toBe(21);
    expect(await limit('/api/v1/memory/commands')).toBe(21);
    expect(await limit('/api/v1/memoryX')).toBe(100_000);
    expect(await limit('/api/v1/usersX')).toBe(100_000);
    expect(await limit('/api/v1/users/me/password')).toBe(23);
    expect(await limit('/api/v1/users/7')).toBe(1_000);
    await change(on, longer.id, { enabled: false });
    expect(await limit('/api/v1/memory/query')).toBe(21);
  });

  test('RTL-C48 a deleted default stays deleted, and created policies persist', async () => {
    const store = lasting();
    let kept: ShownRateLimit[];
    {
      await using on = await installation(httpDriver, { store });
      const [login] = result(await on.admin.call('listRateLimits')).policies.toReversed();
      await on.admin.call('deleteRateLimit', { id: login?.id });
      await policy(on, memory('/nowhere', 5));
      kept = result(await on.admin.call('listRateLimits')).policies;
    }
    const again = { store, username: 'later', tenantId: 'later' };
    await using on = await installation(httpDriver, again);
    expect(result(await on.admin.call('listRateLimits')).policies).toEqual(kept);
    expect(stateOf(await get(on, '/api/v1/login'))).toEqual(UNLIMITED);
    expect(limitOf(await get(on, '/nowhere'))).toBe(5);
  });
});

describe('a change of a policy', () => {
  overHttp('RTL-C42 of the limit resets its buckets to full, and is recorded', async (on) => {
    const { id } = await policy(on, { max_requests: 2 });
    for (let taken = 0; taken < 3; taken++) await get(on, '/api/v1/login');
    await get(on, '/api/v1/keys');
    on.clock.advance(1);
    await change(on, id, { max_requests: 4 });
    expect(stateOf(await get(on, '/api/v1/login'))).toEqual([4, 3, 15]);
    expect(remainingOf(await get(on, '/api/v1/keys'))).toBe(98);
    const [event] = await on.events('configuration_changed');
    expect(event).toMatchObject({
      resource: `rate_limit:${id}`,
      metadata: { change: 'updated', before: { max_requests: 2 }, after: { max_requests: 4 } },
    });
  });

  overHttp('RTL-C42 of the name does not affect the buckets', async (on) => {
    const { id } = await policy(on);
    await get(on, '/api/v1/login');
    await change(on, id, { name: 'Other' });
    expect(remainingOf(await get(on, '/api/v1/login'))).toBe(1);
  });

  overHttp('of parallel changes the last commit applies', async (on) => {
    const { id } = await policy(on);
    const limits = Array.from({ length: 20 }, (_, index) => index + 10);
    await Promise.all(limits.map((max_requests) => change(on, id, { max_requests })));
    const stored = result(await on.admin.call('getRateLimit', { id })).max_requests;
    expect(limitOf(await get(on, '/api/v1/login'))).toBe(stored);
  });
});

describe('the client', () => {
  overHttp('RTL-C43 forwarded headers count only from a trusted proxy', async (on) => {
    await policy(on, { endpoint_type: 'GeneralApi', max_requests: 9 });
    const count = async (from: string, headers: Record<string, string> = {}): Promise<number> =>
      remainingOf(await on.send('GET', '/nowhere', { from, headers }));
    const forwarded = { 'X-Forwarded-For': ' 203.0.113.9 , 198.51.100.1', 'X-Real-IP': PEER };
    expect(await count(PROXY, forwarded)).toBe(8);
    expect(await count('127.0.0.1', { 'X-Forwarded-For': '203.0.113.9' })).toBe(7);
    expect(await count('203.0.113.9')).toBe(6);
    expect(await count(PROXY, { 'X-Real-IP': '203.0.113.9' })).toBe(5);
    expect(await count(PROXY, { 'X-Forwarded-For': 'me', 'X-Real-IP': '203.0.113.9' })).toBe(4);
    expect(await count(PROXY)).toBe(8);
    expect(await count(PEER, forwarded)).toBe(8);
    expect(await count(PEER, { 'X-Real-IP': '203.0.113.9' })).toBe(7);
  });

  overHttp('is the id behind a valid proof, whatever the address', async (on) => {
    await policy(on, { endpoint_type: 'GeneralApi', max_requests: 9 });
    const count = async (from: string, headers: Record<string, string>): Promise<number> =>
      remainingOf(await on.send('GET', '/api/v1/identity', { from, headers }));
    expect(await count(PEER, on.tenantAdmin.proof)).toBe(8);
    expect(await count('192.0.2.2', on.tenantAdmin.proof)).toBe(7);
    expect(await count(PEER, on.admin.proof)).toBe(8);
    expect(remainingOf(await get(on, '/nowhere'))).toBe(8);
  });

  overHttp('RTL-C44, ORD-2 bad tokens share the bucket of their address', async (on) => {
    await policy(on, { endpoint_type: 'GeneralApi', max_requests: 3 });
    const id = on.tenantAdmin.id.replaceAll('-', '');
    const statuses: number[] = [];
    for (const token of ['a', `ak1_${id}_${'A'.repeat(43)}`, 'a.b.c', on.admin.token.slice(1)]) {
      const headers = { Authorization: `Bearer ${token}` };
      const reply = await on.send('GET', '/api/v1/rate-limits', { from: PEER, headers });
      statuses.push(reply.status);
    }
    expect(statuses).toEqual([401, 401, 401, 429]);
    const good = { from: PEER, headers: on.admin.proof };
    expect((await on.send('GET', '/api/v1/rate-limits', good)).status).toBe(200);
  });

  overHttp('a login ignores proofs and is counted by its address', async (on) => {
    await policy(on, { max_requests: 3 });
    const headers = on.admin.proof;
    expect(remainingOf(await on.send('POST', '/api/v1/auth/login', { from: PEER, headers }))).toBe(
      2,
    );
    expect(remainingOf(await get(on, '/api/v1/login'))).toBe(1);
  });
});

describe('responses', () => {
  overHttp('RTL-C45 every kind of response has the three headers', async (on) => {
    await policy(on, { endpoint_type: 'GeneralApi', max_requests: 9, window_secs: 90 });
    const headers = on.admin.proof;
    const from = PEER;
    const states = [
      await get(on, '/nowhere'),
      await get(on, '/api/v1/rate-limits'),
      await on.send('PATCH', '/api/v1/rate-limits', { from }),
      await on.send('GET', '/api/v1/rate-limits/x', { from, headers }),
      await on.send('GET', '/api/v1/rate-limits', { from, headers }),
    ].map((reply) => [reply.status, ...stateOf(reply)]);
    expect(states).toEqual([
      [404, 9, 8, 10],
      [401, 9, 7, 20],
      [405, 9, 6, 30],
      [400, 9, 8, 10],
      [200, 9, 7, 20],
    ]);
  });

  overHttp('RTL-31 /health takes no token and is never refused', async (on) => {
    await policy(on, { endpoint_type: 'GeneralApi', max_requests: 1 });
    await get(on, '/nowhere');
    expect((await get(on, '/nowhere')).status).toBe(429);
    for (let asked = 0; asked < 3; asked++) {
      const reply = await get(on, '/health');
      expect([reply.status, ...stateOf(reply)]).toEqual([200, 1, 0, 60]);
    }
  });

  overHttp(
    'RTL-24, RTL-33, RTL-34, RTL-35, CON-91 a refusal is flat and says when to retry',
    async (on) => {
      await policy(on, { endpoint_type: 'GeneralApi', max_requests: 4, window_secs: 60 });
      for (let taken = 0; taken < 4; taken++) await get(on, '/api/v1/identity');
      for (const path of ['/api/v1/identity', '/api/v1/rate-limits', '/nowhere']) {
        const reply = await get(on, path);
        expect(reply.status).toBe(429);
        expect(reply.body).toEqual({
          error: 'rate_limit_exceeded',
          message: expect.any(String) as string,
          limit: 4,
          remaining: 0,
          reset_in_seconds: 60,
        });
        expect(reply.headers.get('retry-after')).toBe('15');
      }
      on.clock.advance(14_001);
      expect((await get(on, '/nowhere')).headers.get('retry-after')).toBe('1');
      on.clock.advance(999);
      expect([(await get(on, '/nowhere')).status, (await get(on, '/nowhere')).status]).toEqual([
        404, 429,
      ]);
    },
  );

  overHttp('ORD-2, ORD-1 an empty bucket is reported before any other check', async (on) => {
    await policy(on, { endpoint_type: 'GeneralApi', max_requests: 1 });
    const headers = { ...on.tenantAdmin.proof, 'Content-Type': 'text/plain' };
    const ask = (): Promise<Reply> =>
      on.send('POST', '/api/v1/rate-limits', { headers, body: '{' });
    expect(outcome(await ask())).toBe(refused.forbidden);
    expect((await ask()).status).toBe(429);
  });

  overHttp('RTL-37, CON-90 an empty bucket does not reveal a lock', async (on) => {
    const document = { username: 'root', password: 'Wrong-horse-battery-7' };
    const attempt = (): Promise<Reply> =>
      on.send('POST', '/api/v1/auth/login', {
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(document),
      });
    await policy(on, { max_requests: 6 });
    for (let failed = 0; failed < 5; failed++) expect((await attempt()).status).toBe(401);
    expect((await attempt()).body).toMatchObject({ error: 'account_locked', locked: true });
    const { status, body } = await attempt();
    expect(status).toBe(429);
    expect(body).toMatchObject({ error: 'rate_limit_exceeded' });
    expect(body).not.toHaveProperty('locked');
  });
});

overHttp('AUD-C46 a refusal is one event, found by its action', async (on) => {
  await policy(on, memory('/api/v1/memory', 1));
  const headers = on.tenantAdmin.proof;
  const ask = (): Promise<Reply> => on.send('GET', '/api/v1/memory/records/x', { headers });
  await ask();
  expect((await ask()).status).toBe(429);
  const found = await on.send('GET', '/api/v1/audit-logs?action=rate_limit_exceeded', { headers });
  expect((found.body as AuditPage).events).toMatchObject([
    {
      event_type: 'rate_limit_exceeded',
      result: 'forbidden',
      resource: '/api/v1/memory/records/x',
      user_id: on.tenantAdmin.id,
      metadata: {
        endpoint: '/api/v1/memory/records/x',
        endpoint_type: { Custom: '/api/v1/memory' },
      },
    },
  ]);
});
