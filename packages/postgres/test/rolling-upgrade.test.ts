/**
 * Servers of this version and of a made-up next one, exchanged under load: nothing acknowledged is
 * lost or doubled for any writer or reader, and the older version comes back until the level is
 * raised.
 */
import { type Keep, openKeep } from '@agentkeep/core';
import { bootstrapMaster, bootstrapTenant } from '@agentkeep/core/operator';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connect } from '@agentkeep/server/client';
import { runCommand } from '@agentkeep/testkit/agentkeep-process';
import { freePort } from '@agentkeep/testkit/free-port';
import { NEXT_VERSION, writeNextVersion } from '@agentkeep/testkit/next-version';
import { ServerProcess } from '@agentkeep/testkit/server-process';
import { postgresStore } from '../src/index.js';
import { type ClientVersion, COMMANDS_BETWEEN, Load, SCOPE } from './exchange/load.js';
import { newDatabaseUrl } from './fixture.js';

const EXCHANGES = Number(process.env['AGENTKEEP_EXCHANGES'] ?? 3);
const PERSON = { username: 'alice', password: 'Correct-Horse-8' };
const HOOKS = ['--webhook-addresses', '127.0.0.1'];
/** Each exchange starts a server; a busy machine takes seconds for it. */
const TIMEOUT_MS = 300_000 + EXCHANGES * 60_000;

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

async function expectAllOnce(url: string, secret: string, acknowledged: Map<string, string>) {
  const found = new Map<string, string>();
  for await (const { record_id, payload } of connect({ url, secret }).memory.in(SCOPE).query()) {
    expect(found.has(payload.content.primary)).toBe(false);
    found.set(payload.content.primary, record_id);
  }
  expect(acknowledged.size).toBeGreaterThan(2 * EXCHANGES * COMMANDS_BETWEEN);
  for (const [text, recordId] of acknowledged) expect(found.get(text)).toBe(recordId);
}

/** Makes a program and a person, who may write and make webhooks; returns what they prove. */
async function callers(keep: Keep) {
  const ops = await bootstrapTenant(keep, { tenantId: 'acme', subjectId: 'ops' });
  const admin = await keep.authenticate(ops.secret);
  const { secret, credential } = await admin.credentials.issue({
    subject_id: 'alice',
    capabilities: ['memory_read', 'memory_write', 'credential_admin'],
    grants: [SCOPE],
  });
  const master = await bootstrapMaster(keep, 'root');
  const { users } = await keep.administer(master.secret);
  const account = { ...PERSON, roles: ['Admin'], credential_id: credential.id };
  await users.create(account, { tenantId: 'acme' });
  return secret;
}

/** Replaces the servers one after the other under load, to the next version and back. */
async function exchange(starts: readonly Start[], urls: readonly string[], secret: string) {
  const servers: ServerProcess[] = [];
  for (const start of starts) servers.push(await start(undefined));
  const client = pathToFileURL(join(next, '../../../client/dist/index.js')).href;
  const load = new Load({
    ...{ urls, secret, person: PERSON },
    next: (await import(client)) as ClientVersion,
  });
  await load.start();
  for (let count = 0; count < 2 * EXCHANGES; count += 1) {
    const at = Math.floor(count / 2) % servers.length;
    await load.more();
    expect(await servers[at]!.stop()).toBe(0);
    servers[at] = await starts[at]!(count % 2 === 0 ? next : undefined);
  }
  await load.more();
  const told = await load.end();
  await expectAllOnce(urls[0]!, secret, load.acknowledged);
  return { servers, told };
}

test(
  'OPR-153 servers of two versions are exchanged on one database',
  { timeout: TIMEOUT_MS },
  async () => {
    const url = await newDatabaseUrl();
    const keep = await openKeep({ store: postgresStore({ url }) });
    const secret = await callers(keep);
    await keep.close();
    const ports = [await freePort(), await freePort()];
    const starts = ports.map((port, at): Start => async (program) => {
      const words = ['--store-url', url, '--port', String(port), ...HOOKS];
      const server = new ServerProcess(join(home, `data-${String(at)}`), { words, program });
      started.push(server);
      await server.listens();
      return server;
    });
    const urls = ports.map((port) => `http://127.0.0.1:${String(port)}`);
    const { servers, told } = await exchange(starts, urls, secret);
    console.info(`database: ${told}`);

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
  const secret = await callers(keep);
  await keep.close();
  const port = await freePort();
  const start: Start = async (program) => {
    const server = new ServerProcess(dataDir, {
      words: ['--port', String(port), ...HOOKS],
      program,
    });
    started.push(server);
    await server.listens();
    return server;
  };
  const url = `http://127.0.0.1:${String(port)}`;
  const { servers, told } = await exchange([start], [url], secret);
  console.info(`directory: ${told}`);
  for (const server of servers) expect(await server.stop()).toBe(0);
  const raise = ['level', 'raise', '--data-dir', dataDir];
  expect((await runCommand(raise, {}, next)).out).toBe('The level was raised to 2.\n');
  const back = await runCommand(['serve', '--data-dir', dataDir, '--port', '0'], {});
  expect(back.status).toBe(1);
  expect(back.error).toMatch(new RegExp(`level 2.*Start version ${NEXT_VERSION}`, 'u'));
  await start(next);
});
