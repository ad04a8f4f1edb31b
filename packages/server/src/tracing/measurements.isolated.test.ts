/** Measurements of requests over real HTTP and of their keep, collected by the SDK. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { diag, type DiagLogger, metrics as api } from '@opentelemetry/api';
import {
  type Histogram,
  MeterProvider,
  PeriodicExportingMetricReader,
  type PushMetricExporter,
} from '@opentelemetry/sdk-metrics';
import { openLmdbStore, type Store } from '@agentkeep/core';
import { storeOver } from '@agentkeep/core/testing';
import { eventually } from '@agentkeep/testkit/eventually';
import { testStore } from '@agentkeep/testkit/test-store';
import { afterEach, describe, expect, test } from 'vitest';
import { createServer, type ServerOptions } from '../http/create-server.js';
import { startServer } from '../lifecycle/start-server.js';
import { keepReadings } from '../metrics/keep-readings.js';
import { openMetrics } from '../metrics/open-metrics.js';
import { createAll } from '@agentkeep/contract-cases/caller';
import { numberAt, pointsOf, ToldReader } from '../../test/collected.js';
import { minimalRecord, scope, ungranted } from '@agentkeep/contract-cases/documents';
import { drivers } from '@agentkeep/contract-cases/drivers';
import { samplesOf } from '@agentkeep/contract-cases/exposition';
import { type Fixture, tenant } from '@agentkeep/contract-cases/fixture';
import { openTracing } from './open-tracing.js';

const REQUESTS = 'http.server.request.duration';
const MEMORY = 'gen_ai.client.operation.duration';

afterEach(() => {
  api.disable();
  diag.disable();
});

/** Registers an SDK, as a program or a module ahead of the command does. */
function register(): ToldReader {
  const reader = new ToldReader();
  api.setGlobalMeterProvider(new MeterProvider({ readers: [reader] }));
  return reader;
}

interface Measured {
  readonly t: Fixture;
  readonly send: (path: string, init?: RequestInit) => Promise<number>;
  readonly stop: () => Promise<void>;
}

async function measured(
  run: (server: Measured) => Promise<void>,
  { store, ...options }: ServerOptions & { readonly store?: Store } = {},
): Promise<void> {
  await using t = await tenant(drivers[0]!, store);
  const tracing = await openTracing();
  const app = createServer(t.keep, { rateLimitPolicies: [], tracing: tracing!, ...options });
  const server = await startServer(app, { host: '127.0.0.1', port: 0 });
  const send = async (path: string, init?: RequestInit): Promise<number> => {
    const response = await fetch(`${server.url}${path}`, init);
    await response.arrayBuffer();
    return response.status;
  };
  try {
    await run({ t, send, stop: () => server.stop() });
  } finally {
    await server.stop();
  }
}

/** Waits until what waits in the store is counted, which is not again within a minute. */
async function backlogCounted({ keep }: Fixture): Promise<void> {
  await eventually(() => expect(keep.backlog()).toBeDefined());
}

/** A store that counts what it is asked. */
function countedStore() {
  const store = testStore();
  const asked = { read: 0, stats: 0, waiting: 0 };
  const counted = storeOver(store, {
    read: (body) => {
      asked.read += 1;
      return store.read(body);
    },
    stats: () => {
      asked.stats += 1;
      return store.stats();
    },
    waiting: () => {
      asked.waiting += 1;
      return store.waiting();
    },
  });
  return { store: counted, asked };
}

/** A directory that is removed at the end of its block. */
async function scratch(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'agentkeep-measured-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) };
}

const proofOf = (token: string): Record<string, string> => ({ Authorization: `Bearer ${token}` });

function posting(token: string, document: object): RequestInit {
  return {
    method: 'POST',
    headers: { ...proofOf(token), 'Content-Type': 'application/json' },
    body: JSON.stringify({ contract_version: 1, ...document }),
  };
}

describe('requests', () => {
  test('are measured in seconds, by the conventions for HTTP servers', async () => {
    const reader = register();
    await measured(async ({ t, send }) => {
      await send('/api/v1/identity', { headers: proofOf(t.admin.token) });
      await send('/api/v1/identity', { headers: proofOf(t.admin.token) });
      await send('/api/v1/identity');
      const points = pointsOf(await reader.points(), REQUESTS);
      const common = {
        'agentkeep.operation': 'whoAmI',
        'http.request.method': 'GET',
        'http.route': '/api/v1/identity',
        'url.scheme': 'http',
      };
      expect(points.map(({ attributes }) => attributes)).toEqual([
        { ...common, 'http.response.status_code': 200 },
        { ...common, 'http.response.status_code': 401 },
      ]);
      const { count, sum, buckets } = points[0]!.value as Histogram;
      expect(points[0]?.unit).toBe('s');
      expect(count).toBe(2);
      expect(sum).toBeGreaterThan(0);
      expect(sum).toBeLessThan(60);
      const conventional = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 10];
      expect(buckets.boundaries).toEqual(expect.arrayContaining(conventional));
    });
  });

  test('to memory have the names of the conventions for generative AI, also refused', async () => {
    const reader = register();
    await measured(async ({ t, send }) => {
      const { token } = await t.agent();
      const commands = '/api/v1/memory/commands';
      const create = { scope, operation: { type: 'create', record: minimalRecord } };
      expect(await send(commands, posting(token, { idempotency_key: 'k', ...create }))).toBe(200);
      const refused = { idempotency_key: 'l', ...create, scope: ungranted };
      expect(await send(commands, posting(token, refused))).toBe(403);
      const query = { scope, filter: {} };
      expect(await send('/api/v1/memory/query', posting(token, query))).toBe(200);
      const points = pointsOf(await reader.points(), MEMORY);
      const provider = { 'gen_ai.provider.name': 'agentkeep' };
      expect(points.map(({ attributes }) => attributes)).toEqual([
        { ...provider, 'gen_ai.operation.name': 'create_memory' },
        { ...provider, 'gen_ai.operation.name': 'create_memory', 'error.type': 'forbidden' },
        { ...provider, 'gen_ai.operation.name': 'search_memory' },
      ]);
    });
  });

  test('that are refused are counted by reason, and those in flight by method', async () => {
    const reader = register();
    await measured(async ({ send }) => {
      await send('/nowhere');
      await send('/api/v1/identity');
      await send('/api/v1/identity', { method: 'HEAD' });
      const points = await reader.points();
      const refused = (reason: string) =>
        numberAt(points, 'agentkeep.refusals', { 'agentkeep.refusal.reason': reason });
      expect(refused('not_found')).toBe(1);
      expect(refused('unauthenticated')).toBe(2);
      const active = pointsOf(points, 'http.server.active_requests');
      expect(active.map(({ attributes, value }) => [attributes, value])).toEqual([
        [{ 'http.request.method': 'GET', 'url.scheme': 'http' }, 0],
        [{ 'http.request.method': 'HEAD', 'url.scheme': 'http' }, 0],
      ]);
    });
  });

  test('have attributes of a bounded number, and no text of a caller', async () => {
    const reader = register();
    await measured(async ({ t, send }) => {
      const before = (await reader.points()).length;
      for (let index = 0; index < 100; index += 1) {
        await send(`/acme-${index}/x`, { method: `ACME${index}` });
        await send(`/api/v1/users/alice-${index}`, { headers: proofOf(t.admin.token) });
        await send('/api/v1/identity', { headers: proofOf(`acme-${index}`) });
      }
      const points = await reader.points();
      expect(JSON.stringify(points)).not.toMatch(/acme|alice|ops/i);
      // Three durations, three refusals at most, and two methods in flight.
      expect(points.length - before).toBeLessThanOrEqual(8);
    });
  });

  test('whose client left have no status', async () => {
    const reader = register();
    await using t = await tenant(drivers[0]!);
    const tracing = await openTracing();
    const app = createServer(t.keep, { tracing: tracing! });
    const { token } = await t.agent();
    const query = posting(token, { scope, filter: {} });
    await app.request('/api/v1/memory/query', { ...query, signal: AbortSignal.abort() });
    const [point] = pointsOf(await reader.points(), REQUESTS);
    expect(point?.attributes).toMatchObject({ 'error.type': 'client_left' });
    expect(point?.attributes).not.toHaveProperty(['http.response.status_code']);
  });
});

describe('the keep', () => {
  test('PLT-41 has the same numbers in OpenTelemetry as in Prometheus', async () => {
    const reader = register();
    await using folder = await scratch();
    const directory = join(folder.path, 'store');
    await using t = await tenant(drivers[0]!, await openLmdbStore({ directory }));
    const metrics = await openMetrics(t.keep);
    const tracing = await openTracing();
    createServer(t.keep, { metrics, tracing: tracing! });
    const agent = await t.agent();
    await createAll(agent, [minimalRecord, minimalRecord]);
    for (let query = 0; query < 2; query += 1) await agent.found(scope);
    await backlogCounted(t);
    const points = await reader.points();
    const samples = samplesOf(await metrics.text());
    const named = samples.map(({ name }) => name);
    for (const { name, instrument, label } of keepReadings(t.keep).list) {
      const own = samples.filter((each) => each.name === name);
      // A keep over a store that it was given has no data directory, and so no snapshot.
      expect(own.length > 0, name).toBe(name !== 'agentkeep_snapshot_time_seconds');
      for (const { labels, value } of own) {
        const attributes = label === undefined ? {} : { [label.attribute]: labels[label.name] };
        expect(numberAt(points, instrument, attributes), name).toBe(value);
      }
      expect(pointsOf(points, instrument), name).toHaveLength(own.length);
    }
    expect(named).toContain('agentkeep_query_cache_parts_total');
    for (const grown of [
      'agentkeep.store.size',
      'agentkeep.commits',
      'agentkeep.query_cache.parts',
    ]) {
      expect(numberAt(points, grown), grown).toBeGreaterThan(0);
    }
  });

  test('is read when it is collected, and its store is not asked for its size too often', async () => {
    const reader = register();
    const { store, asked } = countedStore();
    const run = async ({ t, send }: Measured): Promise<void> => {
      await backlogCounted(t);
      const before = { ...asked };
      await send('/livez');
      expect(asked).toEqual(before);
      await Promise.all([reader.points(), reader.points()]);
      await reader.points();
      expect(asked).toMatchObject({ stats: before.stats + 1, read: before.read + 1 });
      t.clock.advance(5_000);
      await reader.points();
      expect(asked).toMatchObject({ stats: before.stats + 2, read: before.read + 2 });
    };
    await measured(run, { store });
  });

  test('shows what it can while its store is away', async () => {
    const reader = register();
    const store = testStore();
    let isAway = false;
    const away = (): Promise<never> => Promise.reject(new Error('the database is away'));
    const watched = storeOver(store, {
      read: (body) => (isAway ? away() : store.read(body)),
      stats: () => (isAway ? away() : store.stats()),
    });
    const run = async (): Promise<void> => {
      isAway = true;
      const points = await reader.points();
      isAway = false;
      expect(numberAt(points, 'agentkeep.ready')).toBe(0);
      expect(pointsOf(points, 'agentkeep.store.size')).toEqual([]);
      expect(pointsOf(points, 'agentkeep.queue.length')).not.toEqual([]);
    };
    await measured(run, { store: watched });
  });

  test('is not read any more once its server has stopped', async () => {
    const reader = register();
    const { store, asked } = countedStore();
    const run = async ({ t, stop }: Measured): Promise<void> => {
      await reader.points();
      await stop();
      t.clock.advance(60_000);
      const before = { ...asked };
      await reader.points();
      expect(asked).toEqual(before);
    };
    await measured(run, { store });
  });

  test('is not read any more once it is closed, if no server was started', async () => {
    const reader = register();
    const { store, asked } = countedStore();
    const t = await tenant(drivers[0]!, store);
    const tracing = await openTracing();
    createServer(t.keep, { tracing: tracing! });
    await reader.points();
    expect(asked.waiting).toBe(1);
    await t.keep.close();
    const before = { ...asked };
    await reader.points();
    expect(asked).toEqual(before);
  });
});

describe('a provider', () => {
  test('that is registered late measures from then on, and its successor after it', async () => {
    await measured(async ({ send }) => {
      await send('/livez');
      const first = register();
      await send('/livez');
      const [point] = pointsOf(await first.points(), REQUESTS);
      expect((point!.value as Histogram).count).toBe(1);
      expect(numberAt(await first.points(), 'http.server.active_requests')).toBe(0);
      expect(numberAt(await first.points(), 'agentkeep.ready')).toBe(1);

      api.disable();
      await send('/livez');
      const second = register();
      await send('/livez');
      expect(numberAt(await second.points(), 'agentkeep.ready')).toBe(1);
      for (const reader of [first, second]) {
        const [own] = pointsOf(await reader.points(), REQUESTS);
        expect((own!.value as Histogram).count).toBe(1);
      }
    });
  });

  test('that is broken fails no request, and is reported to the diagnostics', async () => {
    const faults: string[] = [];
    const note = (message: string): void => void faults.push(message);
    const logger: DiagLogger = { error: note, warn: note, info: note, debug: note, verbose: note };
    diag.setLogger(logger, { suppressOverrideMessage: true });
    const getMeter = (): never => {
      throw new Error('broken');
    };
    api.setGlobalMeterProvider({ getMeter });
    await measured(async ({ send }) => {
      expect(await send('/livez')).toBe(200);
      expect(await send('/livez')).toBe(200);
    });
    expect(faults.filter((each) => each.includes('meter provider'))).toHaveLength(1);
  });

  test('whose exporter never answers delays no request and no stop', async () => {
    let isExporting = (): void => undefined;
    const exporting = new Promise<void>((resolve) => {
      isExporting = resolve;
    });
    const exporter: PushMetricExporter = {
      export: () => {
        isExporting();
      },
      forceFlush: () => Promise.resolve(),
      shutdown: () => Promise.resolve(),
    };
    const times = { exportIntervalMillis: 10, exportTimeoutMillis: 10 };
    const reader = new PeriodicExportingMetricReader({ exporter, ...times });
    const provider = new MeterProvider({ readers: [reader] });
    api.setGlobalMeterProvider(provider);
    await measured(async ({ send, stop }) => {
      await exporting;
      expect(await send('/livez')).toBe(200);
      await stop();
    });
    await provider.shutdown();
  });
});
