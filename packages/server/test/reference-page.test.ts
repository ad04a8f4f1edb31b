/** The reference page over real HTTP (docs/contract/platform.md#reference-page). */
import { openKeep } from '@agentkeep/core';
import { defaultRateLimitPolicies } from '@agentkeep/core/operator';
import { testStore } from '@agentkeep/testkit/test-store';
import { describe, expect, test } from 'vitest';
import type { ServerOptions } from '../src/http/create-server.js';
import { startServer } from '../src/lifecycle/start-server.js';
import { pageFiles } from '../src/reference-page/page-files.js';
import { appOf } from '@agentkeep/contract-cases/http-driver';

const POLICY = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': 'data:',
  'connect-src': "'self'",
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'",
};

/** Every path of the page. */
const paths = [...pageFiles.keys()];

/** Serves an empty keep on a socket. */
async function served(options: ServerOptions = {}) {
  const keep = await openKeep({ store: testStore() });
  const server = await startServer(appOf(keep, options), { host: '127.0.0.1', port: 0 });
  return {
    ask: (path: string, init: RequestInit = {}) => fetch(`${server.url}${path}`, init),
    [Symbol.asyncDispose]: async () => {
      await server.stop();
      await keep.close();
    },
  };
}

/** Returns the directives of a policy with their values. */
function directivesOf(policy: string | null): Record<string, string> {
  const directives = (policy ?? '').split('; ').map((each) => {
    const space = each.indexOf(' ');
    return [each.slice(0, space), each.slice(space + 1)] as const;
  });
  return Object.fromEntries(directives);
}

test('PLT-43 leads browsers from the root to the reference, and nothing else', async () => {
  await using server = await served();
  const html = { Accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8' };
  const led = await server.ask('/', { headers: html, redirect: 'manual' });
  expect([led.status, led.headers.get('location'), await led.text()]).toEqual([303, '/docs', '']);
  for (const init of [{}, { headers: html, method: 'POST' }, { headers: { Accept: '*/*' } }]) {
    expect((await server.ask('/', { ...init, redirect: 'manual' })).status).toBe(404);
  }
  expect((await server.ask('/x', { headers: html, redirect: 'manual' })).status).toBe(404);
});

describe('the reference page', () => {
  test('PLT-C17 is there for anyone, under a strict policy', async () => {
    await using t = await served();
    for (const path of paths) {
      for (const headers of [{}, { Authorization: 'Bearer ak1_x' }]) {
        const answer = await t.ask(path, { headers });
        expect(answer.status, path).toBe(200);
        expect(directivesOf(answer.headers.get('content-security-policy'))).toEqual(POLICY);
        expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
        expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
        expect(answer.headers.get('x-ratelimit-limit')).toMatch(/^\d+$/);
        expect(answer.headers.get('x-request-id')).not.toBeNull();
        expect((await answer.arrayBuffer()).byteLength).toBeGreaterThan(100);
      }
    }
    const types = await Promise.all(
      paths.map(async (path) => (await t.ask(path)).headers.get('content-type')),
    );
    expect(new Set(types)).toEqual(
      new Set(['text/html', 'text/css', 'text/javascript'].map((type) => `${type}; charset=utf-8`)),
    );
  });

  test('PLT-C17 names only its own files, each of which is served', async () => {
    await using t = await served();
    const page = await (await t.ask('/docs')).text();
    const named = [...page.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, link = '']) => link);
    const files = named.filter((link) => !link.startsWith('data:')).map((link) => `/${link}`);
    expect(files.toSorted()).toEqual([...paths.slice(1), '/openapi.json'].toSorted());
  });

  test('PLT-C18 takes GET and HEAD, and has no other paths', async () => {
    await using t = await served();
    for (const path of paths) {
      const head = await t.ask(path, { method: 'HEAD' });
      expect(head.status).toBe(200);
      expect(await head.text()).toBe('');
      for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
        const refused = await t.ask(path, { method });
        expect(refused.status, `${method} ${path}`).toBe(405);
        expect(refused.headers.get('allow')).toBe('GET, HEAD');
        expect(refused.headers.get('content-type')).toBe('application/json');
      }
    }
    for (const path of ['/docs/', '/docs/index.html', '/docs/LICENSE', '/docs/page.js/', '/Docs']) {
      const answer = await t.ask(path);
      expect(answer.status, path).toBe(404);
      expect(await answer.json()).toMatchObject({ error: { code: 'not_found' } });
    }
  });

  test('PLT-C19 is the same compressed or not, and is not sent again to who has it', async () => {
    await using t = await served();
    for (const path of paths) {
      const plain = await t.ask(path, { headers: { 'Accept-Encoding': 'br, gzip;q=0' } });
      const compressed = await t.ask(path, { headers: { 'Accept-Encoding': 'br, gzip' } });
      expect(plain.headers.get('content-encoding')).toBeNull();
      expect(compressed.headers.get('content-encoding')).toBe('gzip');
      // fetch() has decompressed it.
      expect(await compressed.text()).toBe(await plain.text());
      const tag = plain.headers.get('etag') ?? '';
      expect(compressed.headers.get('etag')).toBe(tag);
      for (const answer of [plain, compressed]) {
        expect(answer.headers.get('cache-control')).toBe('no-cache');
        expect(answer.headers.get('vary')).toBe('Accept-Encoding');
      }
      for (const known of [tag, tag.slice(2), `"x", ${tag}`, '*']) {
        const again = await t.ask(path, { headers: { 'If-None-Match': known } });
        expect(again.status, known).toBe(304);
        expect(again.headers.get('etag')).toBe(tag);
        expect(await again.text()).toBe('');
      }
      expect((await t.ask(path, { headers: { 'If-None-Match': '"x"' } })).status).toBe(200);
    }
  });

  test('counts as GeneralApi', async () => {
    const rateLimitPolicies = defaultRateLimitPolicies.map((each) => ({ ...each, maxRequests: 2 }));
    await using t = await served({ rateLimitPolicies });
    const statuses: number[] = [];
    for (const path of paths.slice(0, 3)) statuses.push((await t.ask(path)).status);
    expect(statuses).toEqual([200, 200, 429]);
  });

  test('says which origin it depends on where one may call', async () => {
    await using t = await served({ adminOrigin: 'https://console.example' });
    expect((await t.ask('/docs')).headers.get('vary')).toBe('Origin, Accept-Encoding');
  });
});
