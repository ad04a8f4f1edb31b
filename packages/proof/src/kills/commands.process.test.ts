/**
 * A server that is killed repeatedly under load loses no acknowledged command and applies none
 * twice.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pass } from 'node:timers/promises';
import type { ScopeInput } from '@agentkeep/core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { connect } from '@agentkeep/server/client';
import { checkRecords, commandsAhead, replay, retry, seenBy } from './command-check.js';
import { CommandHistory } from './command-history.js';
import { randomFrom } from '@agentkeep/testkit/random';
import { LoadClient } from './command-load.js';
import { bootstrapTenant, ServerProcess } from '@agentkeep/testkit/server-process';

const KILLS = 20;
const CLIENTS = 32;
const LOAD_MS_MIN = 200;
const LOAD_MS_SPAN = 400;
const TIMEOUT_MS = 180_000;

const privateScope: ScopeInput = { project_id: 'p', agent_id: 'a', visibility: 'private' };
const scopes: readonly ScopeInput[] = [
  privateScope,
  { ...privateScope, mission_id: 'm', visibility: 'shared' },
];

let home: string;
let dataDir: string;
let server: ServerProcess;
let url: string;
const started: ServerProcess[] = [];

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'agentkeep-kill-'));
  dataDir = join(home, 'data');
});

afterEach(async () => {
  for (const each of started.splice(0)) await each.kill();
  await rm(home, { recursive: true, force: true });
});

async function startServer(): Promise<void> {
  server = new ServerProcess(dataDir);
  started.push(server);
  url = await server.listens();
}

/** Issues the shared credential of all clients. */
async function writerSecret(adminSecret: string): Promise<string> {
  const admin = connect({ url, secret: adminSecret });
  const { secret } = await admin.credentials.issue({
    subject_id: 's',
    capabilities: ['memory_read', 'memory_write'],
    grants: [...scopes],
  });
  return secret;
}

/**
 * Kills a server under load and checks the next one. Returns the unanswered commands that
 * committed.
 */
async function killOnce(
  secret: string,
  history: CommandHistory,
  { clients, loadMs }: { clients: readonly LoadClient[]; loadMs: number },
): Promise<number> {
  const before = history.acknowledged.length;
  const loaded = connect({ url, secret });
  // The countdown begins with the first answers, so that slow machines get the same load.
  await clients[0]!.step(loaded.memory, history);
  const load = Promise.all(clients.map((client) => client.run(loaded.memory, history)));
  // The moment of the kill varies. A load that ends earlier means that the server crashed.
  await Promise.race([load, pass(loadMs)]);
  expect(await server.kill()).toBe('SIGKILL');
  const killedAt = Date.now();
  await load;
  const fresh = history.acknowledged.slice(before);

  await startServer();
  const { memory } = connect({ url, secret });
  const ahead = commandsAhead(history, await seenBy(memory, scopes));
  await replay(memory, fresh);
  await retry(memory, history, { ahead, killedAt });
  const touched = history.acknowledged.slice(before).map(({ receipt }) => receipt.record_id);
  await checkRecords(memory, history, touched, scopes);
  return ahead.size;
}

test(
  `keeps every acknowledged command over ${KILLS} kills under ${CLIENTS} clients`,
  { timeout: TIMEOUT_MS },
  async () => {
    const seed = Number(process.env['AGENTKEEP_KILL_SEED'] ?? Date.now() % 1_000_000);
    console.info(`Repeat the moments and commands with AGENTKEEP_KILL_SEED=${seed}.`);
    const random = randomFrom(seed);
    const adminSecret = bootstrapTenant(dataDir, 'acme');
    await startServer();
    const secret = await writerSecret(adminSecret);
    const history = new CommandHistory();
    const clients = Array.from({ length: CLIENTS }, (_, index) => {
      const own = randomFrom(random(0x1_0000_0000));
      return new LoadClient(`client-${index}`, scopes[index % scopes.length]!, own);
    });
    let ahead = 0;
    for (let kill = 0; kill < KILLS; kill += 1) {
      const loadMs = LOAD_MS_MIN + random(LOAD_MS_SPAN);
      ahead += await killOnce(secret, history, { clients, loadMs });
    }
    const { acknowledged, records } = history;
    const { memory } = connect({ url, secret });
    await replay(memory, acknowledged);
    await checkRecords(memory, history, [], scopes);
    expect(await server.stop()).toBe(0);
    console.info(
      `${acknowledged.length} acknowledged commands on ${records.size} records were checked; ` +
        `${ahead} of them were committed but not answered before a kill.`,
    );
  },
);
