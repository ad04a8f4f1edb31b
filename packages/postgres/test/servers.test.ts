/**
 * Two real servers over one database, killed in turn under load: no acknowledged command is lost or
 * runs twice, and a revocation at one server takes effect at the other.
 */
import { openKeep, type ScopeInput } from '@agentkeep/core';
import { bootstrapTenant } from '@agentkeep/core/operator';
import { EventEmitter, once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connect } from '@agentkeep/server/client';
import { ServerProcess } from '@agentkeep/testkit/server-process';
import { postgresStore } from '../src/index.js';
import { newDatabaseUrl } from './fixture.js';

const SCOPE: ScopeInput = { project_id: 'p', agent_id: 'a', visibility: 'private' };
const KILLS = 4;
const CALLERS = 12;
const COMMANDS_BETWEEN_KILLS = 60;

let home: string;
let url: string;
let adminSecret: string;
const started: ServerProcess[] = [];

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'agentkeep-servers-'));
  url = await newDatabaseUrl();
  await using keep = await openKeep({ store: postgresStore({ url }) });
  adminSecret = (await bootstrapTenant(keep, { tenantId: 'acme', subjectId: 'ops' })).secret;
});

afterAll(async () => {
  for (const server of started) await server.kill();
  await rm(home, { recursive: true, force: true });
});

async function startServer(): Promise<{ server: ServerProcess; url: string }> {
  const dataDir = join(home, `data-${String(started.length)}`);
  const server = new ServerProcess(dataDir, { words: ['--store-url', url] });
  started.push(server);
  return { server, url: await server.listens() };
}

function newAgent(at: string) {
  const admin = connect({ url: at, secret: adminSecret });
  return admin.credentials.issue({
    subject_id: 'alice',
    capabilities: ['memory_read', 'memory_write'],
    grants: [SCOPE],
  });
}

test('a credential that one server revokes is refused by the other at once', async () => {
  const [first, second] = [await startServer(), await startServer()];
  const { secret, credential } = await newAgent(first.url);
  const alice = connect({ url: second.url, secret });
  expect(await alice.whoAmI()).toMatchObject({ id: credential.id });
  const admin = connect({ url: first.url, secret: adminSecret });
  await admin.credentials.revoke(credential.id, credential.revision);
  await expect(alice.whoAmI()).rejects.toMatchObject({ code: 'unauthorized' });
});

test('acknowledged commands are stored once while servers are killed in turn', async () => {
  const servers = [await startServer(), await startServer()];
  const { secret } = await newAgent(servers[0]!.url);
  const acknowledged = new Map<string, string>();
  const progress = new EventEmitter();
  let sent = 0;
  const over = new AbortController();
  const isGoingOn = (): boolean => !over.signal.aborted;
  const caller = async (name: string): Promise<void> => {
    for (let number = 0; isGoingOn(); number += 1) {
      const idempotencyKey = `${name}-${String(number)}`;
      // Repeats the command at alternating servers until one acknowledges it.
      while (isGoingOn() && !acknowledged.has(idempotencyKey)) {
        sent += 1;
        try {
          const agent = connect({ url: servers[sent % 2]!.url, secret, retry: false });
          const record = recordOf(idempotencyKey);
          const { record_id } = await agent.memory.in(SCOPE).create(record, { idempotencyKey });
          acknowledged.set(idempotencyKey, record_id);
          progress.emit('acknowledged');
        } catch {
          // This server was killed; the other one answers.
        }
      }
    }
  };
  const callers = Array.from({ length: CALLERS }, (_, index) => caller(`c${String(index)}`));
  for (let kill = 0; kill < KILLS; kill += 1) {
    const enough = acknowledged.size + COMMANDS_BETWEEN_KILLS;
    while (acknowledged.size < enough) await once(progress, 'acknowledged');
    await servers[kill % 2]!.server.kill();
    servers[kill % 2] = await startServer();
  }
  over.abort();
  await Promise.all(callers);
  const reader = connect({ url: servers[0]!.url, secret });
  const found = new Map<string, string>();
  for await (const { record_id, payload } of reader.memory.in(SCOPE).query()) {
    expect(found.has(payload.content.primary)).toBe(false);
    found.set(payload.content.primary, record_id);
  }
  expect(acknowledged.size).toBeGreaterThan(KILLS * COMMANDS_BETWEEN_KILLS);
  for (const [text, recordId] of acknowledged) expect(found.get(text)).toBe(recordId);
});

function recordOf(primary: string) {
  return { episode_type: 'Observation' as const, content: { primary }, event_time_millis: 0 };
}
