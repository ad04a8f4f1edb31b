/** What supervisors ask over real HTTP (docs/contract/platform.md#probes). */
import { openKeep } from '@agentkeep/core';
import { EPOCH_KEY, keyText } from '@agentkeep/core/store';
import { ManualClock, storeOver } from '@agentkeep/core/testing';
import { defaultRateLimitPolicies } from '@agentkeep/core/operator';
import { testStore } from '@agentkeep/testkit/test-store';
import { describe, expect, test } from 'vitest';
import { createServer, type Logger, type ServerOptions, startServer } from '@agentkeep/server';

/** Every answer of a probe. */
const LIVE = { contract_version: 1, status: 'live' };
const READY = { contract_version: 1, status: 'ready' };
const NOT_READY = { contract_version: 1, status: 'not_ready' };

/** A served keep whose store counts reads, and can be made to fail. */
async function served(options: ServerOptions = {}) {
  const store = testStore();
  const clock = new ManualClock();
  const state = { asked: 0, isBroken: false };
  const watched = storeOver(store, {
    read: async (body) => {
      if (state.isBroken) throw new Error('the disk is gone');
      const keys = new Set<string>();
      const result = await store.read((tx) => {
        const get = (key: Uint8Array): Uint8Array | undefined => {
          keys.add(keyText(key));
          return tx.get(key);
        };
        return body({ get, range: (range) => tx.range(range), horizon: () => tx.horizon() });
      });
      if (keys.has(keyText(EPOCH_KEY))) state.asked += 1;
      return result;
    },
  });
  const keep = await openKeep({ store: watched, clock });
  const app = createServer(keep, options);
  const server = await startServer(app, { host: '127.0.0.1', port: 0 });
  const ask = async (path: string, init?: RequestInit) => {
    const response = await fetch(`${server.url}${path}`, init);
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, body: bodyOf(text) };
  };
  return {
    ...{ app, keep, clock, state, server, ask },
    [Symbol.asyncDispose]: async () => {
      state.isBroken = false;
      await server.stop();
      await keep.close();
    },
  };
}

function bodyOf(text: string): unknown {
  return text === '' ? undefined : JSON.parse(text);
}

describe('probes', () => {
  test('PLT-C3 a served keep is live and ready, and says no more', async () => {
    await using t = await served();
    for (const [path, body] of [
      ['/livez', LIVE],
      ['/readyz', READY],
    ] as const) {
      const answer = await t.ask(path);
      expect(answer).toMatchObject({ status: 200, body });
      expect(answer.headers.get('content-type')).toBe('application/json');
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect((await t.ask(path, { method: 'HEAD' })).text).toBe('');
      const refused = await t.ask(path, { method: 'POST' });
      expect(refused.status).toBe(405);
      expect(refused.headers.get('allow')).toBe('GET, HEAD');
    }
  });

  test('PLT-C4 a store that fails makes it unready, not dead, until it works again', async () => {
    await using t = await served();
    t.state.isBroken = true;
    const unready = await t.ask('/readyz');
    expect(unready).toMatchObject({ status: 503, body: NOT_READY });
    // CON-14
    expect(unready.headers.get('retry-after')).toBe('1');
    expect(await t.ask('/livez')).toMatchObject({ status: 200, body: LIVE });
    // PLT-4
    expect((await t.ask('/health')).status).toBe(200);
    t.state.isBroken = false;
    t.clock.advance(1_000);
    expect(await t.ask('/readyz')).toMatchObject({ status: 200, body: READY });
  });

  test('PLT-C5 any number of probes costs one read a second', async () => {
    await using t = await served();
    await Promise.all(Array.from({ length: 40 }, () => t.ask('/readyz')));
    await Promise.all(Array.from({ length: 40 }, () => t.ask('/livez')));
    expect(t.state.asked).toBe(1);
  });

  test('PLT-C6 probes take no token and read no proof', async () => {
    await using t = await served({
      rateLimitPolicies: defaultRateLimitPolicies.map((each) => ({ ...each, maxRequests: 1 })),
    });
    const bad = { headers: { Authorization: 'Bearer ak1_x', 'X-API-Key': 'y' } };
    for (const path of ['/livez', '/readyz', '/livez', '/readyz']) {
      expect((await t.ask(path, bad)).status).toBe(200);
    }
    // PLT-5
    for (let times = 0; times < 3; times += 1) {
      const health = await t.ask('/health');
      expect([health.status, health.headers.get('x-ratelimit-limit')]).toEqual([200, '1']);
    }
    // PLT-11
    expect((await t.ask('/openapi.json')).status).toBe(200);
    expect((await t.ask('/openapi.json')).status).toBe(429);
    expect((await t.ask('/readyz')).status).toBe(200);
  });

  test('PLT-C7 a server that stops is not ready', async () => {
    await using t = await served();
    const ready = async () => (await t.app.request('/readyz')).status;
    expect(await ready()).toBe(200);
    await t.server.stop();
    expect(await ready()).toBe(503);
    await expect(t.ask('/readyz')).rejects.toThrow();
    const live = await t.app.request('/livez');
    expect(live.status).toBe(200);
  });

  test('answers to probes are logged only when they say no', async () => {
    const lines: string[] = [];
    const note =
      (level: string) =>
      (_message: string, fields: object = {}): void => {
        const { path, status } = fields as { path?: string; status?: number };
        lines.push(`${level} ${path} ${status}`);
      };
    const log: Logger = {
      ...{ error: note('error'), warn: note('warn') },
      ...{ info: note('info'), debug: note('debug') },
    };
    await using t = await served({ log });
    await t.ask('/readyz');
    t.state.isBroken = true;
    t.clock.advance(1_000);
    await t.ask('/readyz');
    expect(lines).toEqual(['debug /readyz 200', 'info /readyz 503']);
  });
});
