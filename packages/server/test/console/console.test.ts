/** The console over HTTP: its page, its door and its links (docs/contract/console.md). */
import { readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { openKeep } from '@agentkeep/core';
import { createAdmin } from '@agentkeep/core/operator';
import { quickPasswords } from '@agentkeep/core/testing';
import { testStore } from '@agentkeep/testkit/test-store';
import { appOf } from '@agentkeep/contract-cases/http-driver';
import { FormBrowser } from '@agentkeep/testkit/form-browser';
import { describe, expect, test } from 'vitest';
import { ConsoleLinks } from '../../src/console/console-links.js';

const url = 'https://keep.example';
const root = { username: 'root', password: 'Correct-Horse-7' };

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
  "connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

type Headers = Readonly<Record<string, string>>;

/** What the page sends to the door. */
const own: Headers = {
  ...{ origin: url, 'x-agentkeep-console': '1', 'sec-fetch-site': 'same-origin' },
  'content-type': 'application/json',
};

/** What the door answers with. */
interface Answered {
  readonly session: { readonly access_token: string; readonly refresh_expires_in: number } | null;
}

/** Serves a keep with one account. */
async function served(options: Parameters<typeof appOf>[1] = {}) {
  const now = { ms: 0 };
  const links = new ConsoleLinks(() => now.ms);
  const keep = await openKeep({ store: testStore(), passwords: quickPasswords });
  await createAdmin(keep, root);
  const frontDoor = { publicUrl: url };
  const app = appOf(keep, { console: { links }, frontDoor, ...options });
  const ask = async (path: string, init: RequestInit = {}) => app.request(`${url}${path}`, init);
  const door = async (headers: Headers, body?: unknown, method = 'POST') => {
    const text = typeof body === 'string' ? body : JSON.stringify(body ?? {});
    return ask('/console/session', { method, headers, body: text });
  };
  const whoAmI = async (headers: Headers) => (await ask('/api/v1/users', { headers })).status;
  const logIn = async () => (await keep.logIn(root)).tokens.refresh_token;
  const close = () => keep.close();
  return { keep, app, now, links, ask, door, whoAmI, logIn, [Symbol.asyncDispose]: close };
}

async function sessionOf(answer: Response): Promise<Answered['session']> {
  expect(answer.status).toBe(200);
  return ((await answer.json()) as Answered).session;
}

/** The pair that a browser would send again. */
function cookieOf(answer: Response): string {
  return (answer.headers.get('set-cookie') ?? '').split(';', 1)[0] ?? '';
}

describe('the page', () => {
  test('CSL-C1 is there for anyone at its paths, under a strict policy', async () => {
    await using t = await served();
    const paths = ['/console', '/console/', '/console/scope', '/console/no-such-screen?x=1'];
    for (const path of paths) {
      const answer = await t.ask(path, { headers: { Authorization: 'Bearer ak1_x' } });
      expect(answer.status, path).toBe(200);
      expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(answer.headers.get('content-security-policy')).toBe(POLICY);
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
      expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
      expect(answer.headers.get('cache-control')).toBe('no-store');
      const head = await t.ask(path, { method: 'HEAD' });
      expect([head.status, await head.text()]).toEqual([200, '']);
    }
  });

  test('CSL-C1 names its assets, which browsers keep, and nothing inline', async () => {
    await using t = await served();
    const page = await (await t.ask('/console')).text();
    expect(page).not.toMatch(/<style|\sstyle=|\son\w+=|<script(?! src=)/);
    const named = [...page.matchAll(/(?:src|href)="(\/console\/[^"]*)"/g)].map(([, to = '']) => to);
    expect(named).toHaveLength(2);
    for (const path of named) {
      const answer = await t.ask(path);
      expect(answer.status, path).toBe(200);
      expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(answer.headers.get('content-security-policy')).toBe(POLICY);
      expect(answer.headers.get('content-type')).toMatch(
        /^text\/(?:css|javascript); charset=utf-8$/,
      );
      expect((await answer.arrayBuffer()).byteLength).toBeGreaterThan(1_000);
    }
  });

  test('CSL-23 is small: what the first paint needs, and what a second language adds', () => {
    const folder = new URL('../../dist/console/assets/', import.meta.url);
    const names = readdirSync(folder);
    const bytesOf = (start: string): number =>
      names
        .filter((name) => name.startsWith(start))
        .reduce((sum, name) => sum + gzipSync(readFileSync(new URL(name, folder))).length, 0);
    expect(names).toHaveLength(3);
    expect(bytesOf('console-')).toBeLessThan(147_000);
    expect(bytesOf('german-')).toBeLessThan(24_000);
  });

  test('CSL-C1 has no other methods and paths, and is not there without the option', async () => {
    await using t = await served();
    for (const method of ['POST', 'PUT', 'DELETE']) {
      expect((await t.ask('/console/scope', { method })).status).toBe(405);
    }
    const unknown = ['/console/assets/x.js', '/console/assets/..%2Findex.html', '/console/a/b'];
    for (const path of [...unknown, '/console/assets/', '/Console', '/consoles']) {
      expect((await t.ask(path)).status, path).toBe(404);
    }
    const app = appOf(t.keep);
    for (const path of ['/console', '/console/scope', '/console/session']) {
      expect((await app.request(`${url}${path}`)).status, path).toBe(404);
    }
  });
});

describe('the door', () => {
  test('CSL-C2 keeps a session, resumes it and ends it', async () => {
    await using t = await served();
    const kept = await t.door(own, { refresh_token: await t.logIn() });
    const cookie = kept.headers.get('set-cookie') ?? '';
    expect(cookie.replace(/=akr1[\w.-]+;/, '=<token>;').replace(/\d{5}/, '<s>')).toBe(
      '__Secure-agentkeep_console=<token>; Max-Age=<s>; Path=/console/session; HttpOnly; ' +
        'SameSite=Strict; Secure',
    );
    const first = await sessionOf(kept);
    const headers = { ...own, cookie: cookieOf(kept) };
    const second = await sessionOf(await t.door(headers));
    expect(second?.access_token).not.toBe(first?.access_token);
    const proof = { authorization: `Bearer ${second?.access_token ?? ''}` };
    expect(await t.whoAmI(proof)).toBe(200);

    const ended = await t.door(headers, '', 'DELETE');
    expect([ended.status, await ended.json()]).toEqual([200, { success: true }]);
    expect(ended.headers.get('set-cookie')).toContain('__Secure-agentkeep_console=; Max-Age=0;');
    expect(await t.whoAmI(proof)).toBe(401);
    const again = await t.door(headers);
    expect(again.headers.get('set-cookie')).toContain('Max-Age=0;');
    expect(await sessionOf(again)).toBeNull();
    expect((await t.door(headers, '', 'DELETE')).status).toBe(200);
    expect(await sessionOf(await t.door(own))).toBeNull();
  });

  test('CSL-C2 keeps no session without TLS in a cookie that needs it', async () => {
    await using t = await served();
    const body = JSON.stringify({ refresh_token: await t.logIn() });
    const plain = 'http://127.0.0.1:7474';
    const headers = { ...own, origin: plain };
    const kept = await t.app.request(`${plain}/console/session`, { method: 'POST', headers, body });
    expect(kept.headers.get('set-cookie')).toMatch(/^agentkeep_console=[^;]+; (?!.*Secure)/);
  });

  test('CSL-C3 refuses what the page did not send', async () => {
    await using t = await served();
    const kept = await t.door(own, { refresh_token: await t.logIn() });
    const cookie = cookieOf(kept);
    const without = (left: string): Headers =>
      Object.fromEntries(Object.entries(own).filter(([name]) => name !== left));
    const forged: Headers[] = [
      without('x-agentkeep-console'),
      without('origin'),
      { ...own, origin: 'https://evil.example' },
      { ...own, origin: 'https://keep.example.evil.example' },
      { ...own, origin: 'null' },
      { ...own, 'sec-fetch-site': 'same-site' },
      { ...own, 'sec-fetch-site': 'cross-site' },
    ];
    for (const headers of forged) {
      for (const method of ['POST', 'DELETE']) {
        const answer = await t.door({ ...headers, cookie }, {}, method);
        expect(answer.status).toBe(403);
        expect(answer.headers.get('set-cookie')).toBeNull();
      }
    }
    expect(await sessionOf(await t.door({ ...own, cookie }))).not.toBeNull();
    const refreshToken = cookie.split('=')[1] ?? '';
    const wrong = [
      '{',
      '[]',
      'null',
      { other: 1 },
      { refresh_token: 1 },
      { link: 'x'.repeat(129) },
    ];
    const twice = `{"link":"a","link":"b"}`;
    for (const body of [...wrong, twice, { link: 'x', refresh_token: refreshToken }]) {
      const answer = await t.door({ ...own, cookie }, body);
      expect([body, answer.status]).toEqual([body, 400]);
      expect(answer.headers.get('set-cookie')).toBeNull();
    }
    for (const type of ['text/plain', 'text/plain; x=application/json', 'application/jsonx']) {
      const answer = await t.door(
        { ...own, 'content-type': type },
        { refresh_token: refreshToken },
      );
      expect([type, answer.status]).toEqual([type, 400]);
      expect(await answer.json()).toMatchObject({ members: [{ path: 'content-type' }] });
    }
    expect(
      await sessionOf(await t.door({ ...own, 'content-type': 'text/plain', cookie }, '')),
    ).not.toBeNull();
    expect(await sessionOf(await t.door({ ...own, cookie }))).not.toBeNull();
    expect((await t.door(own, 'x'.repeat(20_000))).status).toBe(413);
  });

  test('CSL-C4 its cookie proves no operation', async () => {
    await using t = await served();
    const kept = await t.door(own, { refresh_token: await t.logIn() });
    expect(await t.whoAmI({ cookie: cookieOf(kept) })).toBe(401);
    const token = cookieOf(kept).split('=')[1] ?? '';
    expect(await t.whoAmI({ cookie: `agentkeep_session=${token}` })).toBe(401);
  });
});

describe('links', () => {
  const refusal = async (answer: Response): Promise<unknown[]> => {
    const { error } = (await answer.json()) as { error: string };
    return [answer.status, error, answer.headers.get('set-cookie')];
  };

  test('CSL-C5, CSL-13, CSL-14 sign in once, within ten minutes, and say why not', async () => {
    await using t = await served();
    const link = t.links.issue(root);
    const wrong = await t.door(own, { link: 'wrong' });
    expect(await refusal(wrong)).toEqual([401, 'console_link_unknown', null]);
    const opened = await t.door(own, { link });
    expect(cookieOf(opened)).toMatch(/^__Secure-agentkeep_console=akr1/);
    expect(await sessionOf(opened)).not.toBeNull();
    expect(await refusal(await t.door(own, { link }))).toEqual([401, 'console_link_used', null]);
    const late = t.links.issue(root);
    t.now.ms += 600_000;
    expect(await refusal(await t.door(own, { link: late }))).toEqual([
      ...[401, 'console_link_expired', null],
    ]);
    expect(await refusal(await t.door(own, { link }))).toEqual([401, 'console_link_used', null]);
    const nobody = t.links.issue({ username: 'nobody' });
    expect(await refusal(await t.door(own, { link: nobody }))).toEqual([
      ...[401, 'console_link_unknown', null],
    ]);
    const { message } = (await (await t.door(own, { link })).json()) as { message: string };
    expect(message).toMatch(/used before.*Start the server again for a new one/);
  });

  test('CSL-14 one that is pressed many times at once opens one session', async () => {
    await using t = await served();
    const link = t.links.issue(root);
    const answers = await Promise.all(Array.from({ length: 20 }, () => t.door(own, { link })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test('CSL-16 opens no session before it is followed, and its event has the address', async () => {
    await using t = await served();
    const link = t.links.issue(root);
    const { agent } = await t.keep.logIn(root);
    const logins = async () => {
      const { events } = await agent.audit.queryPage({ eventType: 'login' });
      return events.filter(({ metadata }) => metadata['principal'] === 'operator');
    };
    expect(await logins()).toEqual([]);
    const from = {
      'x-forwarded-for': '203.0.113.7',
      'user-agent': 'Firefox',
      'x-request-id': 'r1',
    };
    await t.door({ ...own, ...from }, { link });
    expect(await logins()).toMatchObject([
      { ip_address: '203.0.113.7', user_agent: 'Firefox', metadata: { request_id: 'r1' } },
    ]);
  });

  test('CSL-9, CSL-14 what is wrong leaves the session of the browser alone', async () => {
    await using t = await served();
    const kept = await t.door(own, { refresh_token: await t.logIn() });
    const headers = { ...own, cookie: cookieOf(kept) };
    const used = t.links.issue(root);
    await t.door(own, { link: used });
    for (const body of [{ link: 'anything' }, { link: used }, { refresh_token: 'akr1_wrong' }]) {
      const answer = await t.door(headers, body);
      expect([body, answer.headers.get('set-cookie')]).toEqual([body, null]);
      expect(await sessionOf(await t.door(headers))).not.toBeNull();
    }
  });
});

test('CSL-C6 a sign-in at the front door that leads to the console keeps its session', async () => {
  await using t = await served();
  const signIn = async (next: string) => {
    const browser = new FormBrowser(t.app, url);
    const page = await browser.page(`/login?next=${encodeURIComponent(next)}`);
    await browser.send(page, '/login', root);
    return [...browser.cookies.keys()].toSorted();
  };
  expect(await signIn('/console/review')).toEqual([
    '__Host-agentkeep_form',
    '__Secure-agentkeep_console',
  ]);
  expect(await signIn('/account')).toContain('__Host-agentkeep_session');
  expect(await signIn('/consoles')).not.toContain('__Secure-agentkeep_console');
});
