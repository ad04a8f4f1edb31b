/**
 * Servers of this version and of a made-up next one, exchanged under load: nothing acknowledged is
 * lost or doubled, and the older version comes back until the level is raised.
 */
import { openKeep, type ScopeInput } from '@agentkeep/core';
import { bootstrapTenant } from '@agentkeep/core/operator';
import { EventEmitter, once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connect } from '@agentkeep/server/client';
import { runCommand } from '@agentkeep/testkit/agentkeep-process';
import { freePort } from '@agentkeep/testkit/free-port';
import { NEXT_VERSION, writeNextVersion } from '@agentkeep/testkit/next-version';
import { ServerProcess } from '@agentkeep/testkit/server-process';
import { postgresStore } from '../src/index.js';
import { newDatabaseUrl } from './fixture.js';

const SCOPE: ScopeInput = { project_id: 'p', agent_id: 'a', visibility: 'private' };
const CALLERS = 8;
const COMMANDS_BETWEEN = 20;
const EXCHANGES = Number(process.env['AGENTKEEP_EXCHANGES'] ?? 3);
/** Each exchange starts a server; a busy machine takes seconds for it. */
const TIMEOUT_MS = 60_000 + EXCHANGES * 40_000;

/** A server that starts here on a port of its own, of either version. */
type Start = (program: string | undefined) => Promise<ServerProcess>;

let home: string;
let next: string;
const started: ServerProcess[] = [];

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'agentkeep-rolling-'));
  await mkdir(join(home, 'next'));
  next = await writeNextVersion(join(home, 'next'));
});

afterAll(async () => {
  for (const server of started) await server.kill();
  await rm(home, { recursive: true, force: true });
});

/** Callers that create records at any of the servers, and the slowest of their calls. */
function load(urls: readonly string[], secret: string) {
  const acknowledged = new Map<string, string>();
  const refusals = new Set<string>();
  const progress = new EventEmitter();
  const over = new AbortController();
  let worstMs = 0;
  let turn = 0;
  // Another server at each try, as a load balancer does.
  const send = (url: string, init: RequestInit): Promise<Response> => {
    turn += 1;
    return fetch(url.replace(urls[0]!, urls[turn % urls.length]!), init);
  };
  const options = { url: urls[0]!, secret, fetch: send };
  const retry = { tries: 100, totalMillis: 120_000, longestWaitMillis: 500 };
  const agent = connect({ ...options, retry });
  const caller = async (name: string): Promise<void> => {
    for (let number = 0; !over.signal.aborted; number += 1) {
      const idempotencyKey = `${name}-${String(number)}`;
      const beganMs = performance.now();
      const record = recordOf(idempotencyKey);
      try {
        const { record_id } = await agent.memory.in(SCOPE).create(record, { idempotencyKey });
        acknowledged.set(idempotencyKey, record_id);
      } catch (error) {
        refusals.add(String(error));
      }
      worstMs = Math.max(worstMs, performance.now() - beganMs);
      progress.emit('acknowledged');
    }
  };
  const callers = Array.from({ length: CALLERS }, (_, index) => caller(`c${String(index)}`));
  return {
    /** Resolves once more commands were acknowledged. */
    more: async (): Promise<void> => {
      const enough = acknowledged.size + COMMANDS_BETWEEN;
      while (acknowledged.size < enough && refusals.size === 0) {
        await once(progress, 'acknowledged');
      }
    },
    end: async () => {
      over.abort();
      await Promise.all(callers);
      return { acknowledged, refusals, worstMs: Math.round(worstMs) };
    },
  };
}

function recordOf(primary: string) {
  return { episode_type: 'Observation' as const, content: { primary }, event_time_millis: 0 };
}

async function expectAllOnce(url: string, secret: string, acknowledged: Map<string, string>) {
  const found = new Map<string, string>();
  for await (const { record_id, payload } of connect({ url, secret }).memory.in(SCOPE).query()) {
    expect(found.has(payload.content.primary)).toBe(false);
    found.set(payload.content.primary, record_id);
  }
  expect(acknowledged.size).toBeGreaterThan(EXCHANGES * COMMANDS_BETWEEN);
  for (const [text, recordId] of acknowledged) expect(found.get(text)).toBe(recordId);
}

async function issued(adminSecret: string, url: string): Promise<string> {
  const admin = connect({ url, secret: adminSecret });
  const { secret } = await admin.credentials.issue({
    subject_id: 'alice',
    capabilities: ['memory_read', 'memory_write'],
    grants: [SCOPE],
  });
  return secret;
}

/** Replaces the servers one after the other under load, to the next version and back. */
async function exchange(starts: readonly Start[], urls: readonly string[], adminSecret: string) {
  const servers: ServerProcess[] = [];
  for (const start of starts) servers.push(await start(undefined));
  const secret = await issued(adminSecret, urls[0]!);
  const callers = load(urls, secret);
  for (let count = 0; count < 2 * EXCHANGES; count += 1) {
    const at = Math.floor(count / 2) % servers.length;
    await callers.more();
    expect(await servers[at]!.stop()).toBe(0);
    servers[at] = await starts[at]!(count % 2 === 0 ? next : undefined);
  }
  await callers.more();
  const { acknowledged, refusals, worstMs } = await callers.end();
  expect([...refusals]).toEqual([]);
  await expectAllOnce(urls[0]!, secret, acknowledged);
  return { servers, acknowledged, worstMs };
}

test(
  'OPR-153 servers of two versions are exchanged on one database',
  { timeout: TIMEOUT_MS },
  async () => {
    const url = await newDatabaseUrl();
    const keep = await openKeep({ store: postgresStore({ url }) });
    const { secret } = await bootstrapTenant(keep, { tenantId: 'acme', subjectId: 'ops' });
    await keep.close();
    const ports = [await freePort(), await freePort()];
    const starts = ports.map((port, at): Start => async (program) => {
      const words = ['--store-url', url, '--port', String(port)];
      const server = new ServerProcess(join(home, `data-${String(at)}`), { words, program });
      started.push(server);
      await server.listens();
      return server;
    });
    const urls = ports.map((port) => `http://127.0.0.1:${String(port)}`);
    const { servers, acknowledged, worstMs } = await exchange(starts, urls, secret);
    console.info(`database: ${acknowledged.size} commands, the slowest took ${worstMs} ms`);

    // OPR-160: the older servers are still there.
    const raise = ['level', 'raise', '--store-url', url, '--data-dir', join(home, 'data-0')];
    const refused = await runCommand(raise, {}, next);
    expect(refused).toMatchObject({ status: 1, out: '' });
    expect(refused.error).toContain('servers do not support the next one');
    for (const server of servers) expect(await server.stop()).toBe(0);
    expect((await runCommand(raise, {}, next)).out).toBe('The level was raised to 2.\n');
    const back = await runCommand(['serve', '--store-url', url, '--port', '0'], {});
    expect(back.status).toBe(1);
    expect(back.error).toMatch(new RegExp(`level 2.*Start version ${NEXT_VERSION}`, 'u'));
    await starts[0]!(next);
  },
);

test('OPR-153 versions are exchanged on a data directory', { timeout: TIMEOUT_MS }, async () => {
  const dataDir = join(home, 'directory');
  const keep = await openKeep({ dataDir });
  const { secret } = await bootstrapTenant(keep, { tenantId: 'acme', subjectId: 'ops' });
  await keep.close();
  const port = await freePort();
  const start: Start = async (program) => {
    const server = new ServerProcess(dataDir, { words: ['--port', String(port)], program });
    started.push(server);
    await server.listens();
    return server;
  };
  const url = `http://127.0.0.1:${String(port)}`;
  const { servers, acknowledged, worstMs } = await exchange([start], [url], secret);
  console.info(`directory: ${acknowledged.size} commands, the slowest took ${worstMs} ms`);
  for (const server of servers) expect(await server.stop()).toBe(0);
  const raise = ['level', 'raise', '--data-dir', dataDir];
  expect((await runCommand(raise, {}, next)).out).toBe('The level was raised to 2.\n');
  const back = await runCommand(['serve', '--data-dir', dataDir, '--port', '0'], {});
  expect(back.status).toBe(1);
  expect(back.error).toMatch(new RegExp(`level 2.*Start version ${NEXT_VERSION}`, 'u'));
  await start(next);
});
