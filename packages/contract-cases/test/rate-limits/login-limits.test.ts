/** Rate limits of platform logins and login accounts (docs/contract/rate-limits.md). */
import { describe, expect, test } from 'vitest';
import { outcome } from '../harness/answer.js';
import { httpDriver, type Reply } from '../harness/http-driver.js';
import { installation, type Installation } from '../installation/installation-fixture.js';

const PEER = '192.0.2.1';
const LOGINS = 100;

const paths = ['/api/v1/login', '/api/v1/admin/login', '/api/v1/auth/login'] as const;

/** Declares a test of an installation with the default policies in force. */
function overHttp(title: string, run: (on: Installation) => Promise<void>): void {
  test(title, async () => {
    await using on = await installation(httpDriver);
    await run(on);
  });
}

/** Logs in from an address, through a trusted proxy. */
function logIn(
  on: Installation,
  path: (typeof paths)[number],
  username: string,
  { address = PEER, headers = {}, password = 'wrong' } = {},
): Promise<Reply> {
  const versioned = path === '/api/v1/auth/login' ? {} : { contract_version: 1 };
  const tenancy = path === '/api/v1/login' ? { tenant_id: 'acme' } : {};
  return on.send('POST', path, {
    headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': address, ...headers },
    body: JSON.stringify({ ...versioned, ...tenancy, username, password }),
  });
}

const limitOf = ({ headers }: Reply): number => Number(headers.get('x-ratelimit-limit'));
const leftOf = ({ headers }: Reply): number => Number(headers.get('x-ratelimit-remaining'));

describe('logins of an address', () => {
  overHttp(
    'LOG-C42, RTL-10, CON-91 share one bucket, and an empty one is a flat 429',
    async (on) => {
      for (let made = 1; made <= LOGINS; made += 1) {
        const path = paths[made % paths.length] ?? paths[0];
        const reply = await logIn(on, path, `name-${made}`);
        expect(outcome(reply)).toBe('401 invalid_login');
        expect([limitOf(reply), leftOf(reply)]).toEqual([LOGINS, LOGINS - made]);
      }
      for (const path of paths) {
        for (const username of ['name-1', 'another', ' ']) {
          const reply = await logIn(on, path, username);
          expect(reply.status).toBe(429);
          expect(reply.body).toEqual({
            error: 'rate_limit_exceeded',
            message: expect.any(String) as string,
            limit: LOGINS,
            remaining: 0,
            reset_in_seconds: 60,
          });
          expect(reply.headers.get('retry-after')).toBe('1');
        }
        expect((await logIn(on, path, 'a', { address: '192.0.2.2' })).status).toBe(401);
      }
      on.clock.advance(600);
      expect((await logIn(on, '/api/v1/login', 'a')).status).toBe(401);
      expect((await logIn(on, '/api/v1/login', 'a')).status).toBe(429);
    },
  );

  overHttp('are counted by address, whatever the proof', async (on) => {
    const first = await logIn(on, '/api/v1/login', 'a', { headers: on.tenantAdmin.proof });
    const second = await logIn(on, '/api/v1/login', 'b');
    const third = await logIn(on, '/api/v1/login', 'c', { headers: on.admin.proof });
    expect([first, second, third].map(leftOf)).toEqual([99, 98, 97]);
  });

  overHttp('do not reveal a lock when the bucket is empty', async (on) => {
    for (let made = 1; made <= 5; made += 1) await logIn(on, '/api/v1/login', 'ann');
    const locked = await logIn(on, '/api/v1/login', 'ann');
    expect(outcome(locked)).toBe('429 account_locked');
    expect(locked.headers.has('retry-after')).toBe(false);
    for (let made = 7; made <= LOGINS; made += 1) await logIn(on, '/api/v1/login', ' ');
    const hidden = await logIn(on, '/api/v1/login', 'ann');
    expect(outcome(hidden)).toBe('429 rate_limit_exceeded');
    expect(Object.keys(Object(hidden.body) as object)).not.toContain('locked');
  });
});

describe('other calls', () => {
  overHttp(
    'RTL-12, RTL-13 login accounts are counted with users, logout with everything else',
    async (on) => {
      const get = (path: string) => on.send('GET', path, { headers: on.tenantAdmin.proof });
      const list = await get('/api/v1/login-accounts?contract_version=1');
      expect([list.status, limitOf(list), leftOf(list)]).toEqual([200, 1_000, 999]);
      const users = await get('/api/v1/users');
      expect([limitOf(users), leftOf(users)]).toEqual([1_000, 998]);
      const global = await get('/api/v1/admin/login-accounts?contract_version=1');
      expect([global.status, limitOf(global), leftOf(global)]).toEqual([403, 1_000, 997]);
      const logout = await on.send('POST', '/api/v1/logout', { headers: on.admin.proof });
      expect([logout.status, limitOf(logout)]).toEqual([200, 100_000]);
    },
  );
});
