/** Metrics over real HTTP (docs/contract/platform.md#metrics). */
import { once } from 'node:events';
import { connect } from 'node:net';
import { CONTRACT_DOCUMENT_VERSION, type Keep, type Store } from '@agentkeep/core';
import { storeOver } from '@agentkeep/core/testing';
import { defaultRateLimitPolicies, storeLevel } from '@agentkeep/core/operator';
import { eventually } from '@agentkeep/testkit/eventually';
import { testStore } from '@agentkeep/testkit/test-store';
import { describe, expect, test } from 'vitest';
import {
  createServer,
  type Metrics,
  openMetrics,
  type ServerOptions,
  startMetricsServer,
  startServer,
} from '@agentkeep/server';
import { createAll } from '../harness/caller.js';
import { minimalRecord, scope } from '../harness/documents.js';
import { drivers } from '../harness/drivers.js';
import { samplesOf, valueOf } from './exposition.js';
import { type Fixture, tenant } from '../harness/fixture.js';

const TOKEN = 'metrics-of-acme-0001';
const DURATION = 'agentkeep_request_duration_seconds';

interface Served {
  readonly t: Fixture;
  readonly metrics: Metrics;
  readonly url: string;
  /** Sends a GET, by default with the proof of the administrator. */
  readonly get: (path: string, headers?: Record<string, string>) => Promise<Response>;
}

/** Serves a tenant whose requests are measured. */
async function served(
  run: (server: Served) => Promise<void>,
  { store = testStore(), ...options }: ServerOptions & { readonly store?: Store } = {},
): Promise<void> {
  await using t = await tenant(drivers[0]!, store);
  const metrics = await openMetrics(t.keep);
  const app = createServer(t.keep, { rateLimitPolicies: [], metrics, ...options });
  const server = await startServer(app, { host: '127.0.0.1', port: 0 });
  const proof = { Authorization: `Bearer ${t.admin.token}` };
  const get = (path: string, headers: Record<string, string> = proof): Promise<Response> =>
    fetch(`${server.url}${path}`, { headers });
  try {
    await run({ t, metrics, url: server.url, get });
  } finally {
    await server.stop();
  }
}

/** Asks for a path and reads the answer to its end. */
async function status(answer: Promise<Response>): Promise<number> {
  const response = await answer;
  await response.arrayBuffer();
  return response.status;
}

async function samples(metrics: Metrics) {
  return samplesOf(await metrics.text());
}

describe('metrics', () => {
  test('PLT-C8 requests are counted and measured by operation and class of status', async () => {
    await served(async ({ metrics, get }) => {
      await status(get('/api/v1/identity'));
      await status(get('/api/v1/identity', {}));
      await status(get('/api/v1/credentials'));
      const all = await samples(metrics);
      const requests = (operation: string, end: string) =>
        valueOf(all, 'agentkeep_requests_total', { operation, status: end });
      expect(requests('whoAmI', '2xx')).toBe(1);
      expect(requests('whoAmI', '4xx')).toBe(1);
      expect(requests('listTenantCredentials', '4xx')).toBe(1);
      expect(requests('listTenantCredentials', '2xx')).toBeUndefined();
      expect(valueOf(all, 'agentkeep_refusals_total', { reason: 'unauthenticated' })).toBe(1);
      // PLT-28, PLT-34
      expect(valueOf(all, 'agentkeep_requests_in_flight')).toBe(0);
      const builds = all.filter(({ name }) => name === 'agentkeep_build_info');
      expect(builds).toEqual([
        expect.objectContaining({ labels: { version: expect.any(String) as unknown }, value: 1 }),
      ]);

      const buckets = all.filter(
        ({ name, labels }) => name === `${DURATION}_bucket` && labels['operation'] === 'whoAmI',
      );
      const counts = buckets.map(({ value }) => value);
      expect(counts).toEqual(counts.toSorted((one, other) => one - other));
      expect(buckets.at(-1)).toMatchObject({ labels: { le: '+Inf' }, value: 2 });
      expect(valueOf(all, `${DURATION}_count`, { operation: 'whoAmI' })).toBe(2);
      expect(valueOf(all, `${DURATION}_sum`, { operation: 'whoAmI' })).toBeGreaterThan(0);
    });
  });

  test('PLT-C9 no label holds a tenant, a person or a path, and their number is bounded', async () => {
    await served(async ({ t, metrics, url, get }) => {
      const agent = await t.agent();
      await status(get('/api/v1/identity', { Authorization: `Bearer ${agent.token}` }));
      const before = (await metrics.text()).split('\n').length;
      const odd = '"quoted\\"\n{acme}"';
      for (let index = 0; index < 200; index += 1) {
        await status(fetch(`${url}/acme-${index}/${encodeURIComponent(odd)}`));
        await status(fetch(`${url}/api/v1/users/alice-${index}`, { method: 'PATCH' }));
      }
      const text = await metrics.text();
      // One operation and one reason are new, with the buckets of the operation.
      expect(text.split('\n').length - before).toBeLessThan(40);
      expect(text).not.toMatch(/acme|alice|quoted|ops/);
      expect(valueOf(samplesOf(text), 'agentkeep_requests_total', { operation: 'none' })).toBe(400);
    });
  });

  test('PLT-C10 refusals by rate limits and by load are counted by reason', async () => {
    const rateLimitPolicies = defaultRateLimitPolicies.map((each) => ({ ...each, maxRequests: 2 }));
    await served(
      async ({ metrics, get }) => {
        const statuses = [];
        for (let index = 0; index < 5; index += 1) statuses.push(await status(get('/nowhere')));
        expect(statuses).toEqual([404, 404, 429, 429, 429]);
        const all = await samples(metrics);
        expect(valueOf(all, 'agentkeep_refusals_total', { reason: 'rate_limited' })).toBe(3);
        expect(valueOf(all, 'agentkeep_refusals_total', { reason: 'not_found' })).toBe(2);
      },
      { rateLimitPolicies },
    );
  });

  test('PLT-C11 queues, size, commits and the query cache are shown', async () => {
    await served(async ({ t, metrics }) => {
      const agent = await t.agent();
      const before = await samples(metrics);
      await createAll(agent, [minimalRecord, minimalRecord]);
      await agent.found(scope);
      const after = await samples(metrics);
      for (const queue of Object.keys(await t.keep.waiting())) {
        expect(valueOf(after, 'agentkeep_waiting', { queue }), queue).toBeGreaterThanOrEqual(0);
      }
      expect(valueOf(after, 'agentkeep_ready')).toBe(1);
      expect(valueOf(after, 'agentkeep_store_size_bytes')).toBeGreaterThan(0);
      const grown = (name: string) => (valueOf(after, name) ?? 0) - (valueOf(before, name) ?? 0);
      const committed = 'agentkeep_committed_transactions_total';
      if (valueOf(after, committed) !== undefined) {
        expect(grown(committed)).toBeGreaterThanOrEqual(2);
        expect(grown('agentkeep_commits_total')).toBeGreaterThanOrEqual(1);
        expect(valueOf(after, 'agentkeep_commit_failures_total')).toBe(0);
      }
    });
  });

  test('PLT-C12 a store that is away leaves its size out, and the rest is shown', async () => {
    const store = testStore();
    const stats = (): Promise<never> => Promise.reject(new Error('the database is away'));
    const read = (): Promise<never> => Promise.reject(new Error('the database is away'));
    let isAway = false;
    const watched = storeOver(store, {
      read: (body) => (isAway ? read() : store.read(body)),
      stats: () => (isAway ? stats() : store.stats()),
    });
    await served(
      async ({ t, metrics }) => {
        expect(valueOf(await samples(metrics), 'agentkeep_ready')).toBe(1);
        isAway = true;
        t.clock.advance(10_000);
        const all = await samples(metrics);
        expect(valueOf(all, 'agentkeep_ready')).toBe(0);
        expect(valueOf(all, 'agentkeep_store_size_bytes')).toBeUndefined();
        expect(valueOf(all, 'agentkeep_requests_in_flight')).toBe(0);
        isAway = false;
        t.clock.advance(10_000);
        expect(valueOf(await samples(metrics), 'agentkeep_store_size_bytes')).toBeDefined();
      },
      { store: watched },
    );
  });

  test('a request whose client has left is neither a success nor a failure', async () => {
    await using t = await tenant(drivers[0]!);
    const metrics = await openMetrics(t.keep);
    const app = createServer(t.keep, { metrics });
    const agent = await t.agent();
    await app.request('/api/v1/memory/query', {
      method: 'POST',
      headers: { Authorization: `Bearer ${agent.token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ contract_version: 1, scope, filter: {} }),
      signal: AbortSignal.abort(),
    });
    const requests = (await samples(metrics)).filter(
      ({ name }) => name === 'agentkeep_requests_total',
    );
    expect(requests).toEqual([
      expect.objectContaining({ labels: { operation: 'queryMemory', status: 'left' }, value: 1 }),
    ]);
  });

  test('a client that leaves before its whole body has arrived has left', async () => {
    await served(async ({ t, metrics, url }) => {
      const agent = await t.agent();
      const socket = connect(Number(new URL(url).port), '127.0.0.1');
      const headers = [`Authorization: Bearer ${agent.token}`, 'Content-Type: application/json'];
      const head = ['POST /api/v1/memory/query HTTP/1.1', 'Host: a', ...headers];
      socket.write(`${head.join('\r\n')}\r\nContent-Length: 500\r\n\r\n{`);
      await eventually(async () => {
        expect(valueOf(await samples(metrics), 'agentkeep_requests_in_flight')).toBe(1);
      });
      socket.destroy();
      const left = { operation: 'queryMemory', status: 'left' };
      await eventually(async () => {
        const all = await samples(metrics);
        expect(valueOf(all, 'agentkeep_requests_in_flight')).toBe(0);
        expect(valueOf(all, 'agentkeep_requests_total', left)).toBe(1);
        expect(valueOf(all, 'agentkeep_refusals_total', { reason: 'invalid' })).toBeUndefined();
      });
    });
  });

  test('PLT-42 input that never becomes a request is not counted', async () => {
    await served(async ({ metrics, url, get }) => {
      const heads = ['no HTTP at all', 'GET / HTTP/1.1\r\nHost x'];
      for (const head of [...heads, `GET / HTTP/1.1\r\nX: ${'y'.repeat(17_000)}`]) {
        const socket = connect(Number(new URL(url).port), '127.0.0.1');
        socket.write(`${head}\r\n\r\n`);
        await once(socket.resume(), 'close');
      }
      await status(get('/api/v1/identity'));
      const all = await samples(metrics);
      const requests = all.filter(({ name }) => name === 'agentkeep_requests_total');
      expect(requests).toEqual([
        expect.objectContaining({ labels: { operation: 'whoAmI', status: '2xx' }, value: 1 }),
      ]);
      expect(all.filter(({ name }) => name === 'agentkeep_refusals_total')).toEqual([]);
    });
  });

  test('callers at the same time share one text', async () => {
    await served(async ({ metrics }) => {
      const both = [metrics.text(), metrics.text()];
      expect(both[0]).toBe(both[1]);
      await Promise.all(both);
    });
  });
});

describe('metrics on the main port', () => {
  test('PLT-C13 are shown for the right secret only, and without one are not there', async () => {
    await served(async ({ get }) => {
      expect(await status(get('/metrics'))).toBe(404);
    });
    await served(
      async ({ get, t }) => {
        const bearer = (text: string) => ({ Authorization: `Bearer ${text}` });
        const refused = [{}, bearer('wrong'), bearer(`${TOKEN}x`), bearer(t.admin.token)];
        for (const headers of [...refused, { Authorization: TOKEN }, { 'X-API-Key': TOKEN }]) {
          const answer = await get('/metrics', headers);
          expect(answer.status).toBe(401);
          expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/);
          expect(await answer.text()).not.toContain('agentkeep_');
        }
        const answer = await get('/metrics', bearer(TOKEN));
        expect(answer.status).toBe(200);
        expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
        expect(answer.headers.get('cache-control')).toBe('no-store');
        const all = samplesOf(await answer.text());
        const operation = { operation: 'metrics', status: '4xx' };
        expect(valueOf(all, 'agentkeep_requests_total', operation)).toBe(6);
      },
      { metricsToken: TOKEN },
    );
  });

  test('PLT-C14 guesses of the secret are limited by address', async () => {
    const rateLimitPolicies = defaultRateLimitPolicies.map((each) => ({ ...each, maxRequests: 3 }));
    await served(
      async ({ get }) => {
        const statuses = [];
        for (let index = 0; index < 5; index += 1) {
          statuses.push(await status(get('/metrics', { Authorization: `Bearer guess-${index}` })));
        }
        expect(statuses).toEqual([401, 401, 401, 429, 429]);
      },
      { rateLimitPolicies, metricsToken: TOKEN },
    );
  });

  test('a weak secret, and one without metrics, are refused', async () => {
    await using t = await tenant(drivers[0]!);
    const metrics = await openMetrics(t.keep);
    const make = (options: ServerOptions) => () => createServer(t.keep, options);
    expect(make({ metrics, metricsToken: 'short' })).toThrow(/16 to 512 visible ASCII/);
    expect(make({ metrics, metricsToken: 'with a space inside' })).toThrow(TypeError);
    expect(make({ metricsToken: TOKEN })).toThrow(/needs metrics/);
  });
});

/** Serves metrics on a port of their own. */
async function onOwnPort(
  run: (url: string, keep: Keep) => Promise<void>,
  options: { readonly token?: string; readonly isReady?: () => Promise<boolean> } = {},
): Promise<void> {
  await using t = await tenant(drivers[0]!);
  const metrics = await openMetrics(t.keep);
  const levels = () => storeLevel.of(t.keep);
  const where = { host: '127.0.0.1', port: 0, levels };
  const server = await startMetricsServer(metrics, { ...where, ...options });
  try {
    await run(server.url, t.keep);
  } finally {
    await server.stop();
    await server.stop();
  }
}

describe('metrics on a port of their own', () => {
  test('PLT-C15 are all that is there, beside probes', async () => {
    let isReady = true;
    await onOwnPort(
      async (url) => {
        const answer = await fetch(url);
        expect(answer.headers.get('content-type')).toContain('version=0.0.4');
        samplesOf(await answer.text());
        const at = (path: string, method = 'GET') => status(fetch(new URL(path, url), { method }));
        expect(await at('/metrics?name=x')).toBe(200);
        expect(await at('/metrics', 'HEAD')).toBe(200);
        expect(await at('/metrics', 'POST')).toBe(405);
        for (const path of ['/', '/health', '/api/v1/identity', '/openapi.json', '/metrics/']) {
          expect(await at(path), path).toBe(404);
        }
        expect(await at('/livez')).toBe(200);
        expect(await at('/readyz')).toBe(200);
        isReady = false;
        expect(await at('/readyz')).toBe(503);
      },
      { isReady: () => Promise.resolve(isReady) },
    );
  });

  test('PLT-C16 need the secret if there is one; probes never do', async () => {
    await onOwnPort(
      async (url) => {
        expect(await status(fetch(url))).toBe(401);
        const headers = { Authorization: `bearer ${TOKEN}` };
        expect(await status(fetch(url, { headers }))).toBe(200);
        expect(await status(fetch(new URL('/livez', url)))).toBe(200);
        expect(await status(fetch(new URL('/readyz', url)))).toBe(404);
      },
      { token: TOKEN },
    );
  });

  test('PLT-C22 say levels and versions of all servers to their readers only', async () => {
    let isReady = true;
    const options = { token: TOKEN, isReady: () => Promise.resolve(isReady) };
    await onOwnPort(async (url, keep) => {
      const ask = async (headers: Record<string, string> = {}): Promise<unknown> =>
        (await fetch(new URL('/readyz', url), { headers })).json();
      const reader = { Authorization: `Bearer ${TOKEN}` };
      const levels = { oldest_level: 1, newest_level: 1 };
      const servers = [{ version: CONTRACT_DOCUMENT_VERSION, ...levels }];
      const shown = { contract_version: 1, level: 1, newest_level: 1, servers };
      expect(await ask(reader)).toMatchObject({ ...shown, status: 'ready' });
      for (const headers of [{}, { Authorization: `Bearer ${TOKEN}-` }]) {
        expect(await ask(headers)).toEqual({ contract_version: 1, status: 'ready' });
      }
      isReady = false;
      expect(await ask(reader)).toMatchObject({ ...shown, status: 'not_ready' });
      // PLT-48
      const all = samplesOf(await (await fetch(url, { headers: reader })).text());
      const version = CONTRACT_DOCUMENT_VERSION;
      expect(valueOf(all, 'agentkeep_servers', { version })).toBe(1);
      expect(valueOf(all, 'agentkeep_store_level')).toBe(storeLevel.of(keep).level);
      expect(valueOf(all, 'agentkeep_newest_level')).toBe(1);
    }, options);
  });
});
