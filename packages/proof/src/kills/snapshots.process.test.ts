/**
 * The snapshot commands next to a real server under load: a copy has everything acknowledged, and
 * the server keeps its directory whatever happens to the command.
 */
import { once } from 'node:events';
import { existsSync, readdirSync, watch } from 'node:fs';
import { mkdtemp, rm, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLmdbStore, type ScopeInput } from '@agentkeep/core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { connect } from '@agentkeep/server/client';
import { CommandHistory, send } from './command-history.js';
import { randomFrom } from '@agentkeep/testkit/random';
import { LoadClient } from './command-load.js';
import { bootstrapTenant, runCommand, startCommand } from '@agentkeep/testkit/agentkeep-process';
import { ServerProcess } from '@agentkeep/testkit/server-process';

const WRITERS = 16;
const COMMANDS_BEFORE = 400;
const SNAPSHOTS = 2;

const scope: ScopeInput = { project_id: 'p', agent_id: 'a', visibility: 'private' };

let home: string;
let dataDir: string;
const started: ServerProcess[] = [];

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'agentkeep-snapshots-'));
  dataDir = join(home, 'data');
});

afterEach(async () => {
  for (const each of started.splice(0)) await each.kill();
  await rm(home, { recursive: true, force: true });
});

async function serve(directory: string): Promise<{ server: ServerProcess; url: string }> {
  const server = new ServerProcess(directory);
  started.push(server);
  return { server, url: await server.listens() };
}

const run = (...words: string[]) => runCommand(words);

async function takeSnapshot(): Promise<{ snapshot_id: string; path: string; size_bytes: number }> {
  const { status, out, error } = await run('snapshot', '--json', '--data-dir', dataDir);
  expect({ status, error }).toEqual({ status: 0, error: '' });
  return JSON.parse(out) as Awaited<ReturnType<typeof takeSnapshot>>;
}

const snapshotNames = (): string[] => readdirSync(join(dataDir, 'snapshots')).sort();
const isListed = (name: string): boolean => /^\d/.test(name);
const isUnfinished = (name: string): boolean => name.startsWith('.unfinished-');

/** Kills a snapshot as soon as it has begun to write, if it has not ended before. */
async function killSnapshot(): Promise<void> {
  const changes = watch(join(dataDir, 'snapshots'));
  const child = startCommand(['snapshot', '--data-dir', dataDir]);
  const ended = once(child, 'close');
  while (child.exitCode === null && !snapshotNames().some(isUnfinished)) {
    await Promise.race([once(changes, 'change'), ended]);
  }
  child.kill('SIGKILL');
  await ended;
  changes.close();
}

async function writerSecret(url: string, adminSecret: string): Promise<string> {
  const { secret } = await connect({ url, secret: adminSecret }).credentials.issue({
    subject_id: 's',
    capabilities: ['memory_read', 'memory_write'],
    grants: [scope],
  });
  return secret;
}

test(`snapshots under ${WRITERS} writers contain every command acknowledged before`, async () => {
  const adminSecret = bootstrapTenant(dataDir, 'acme');
  const { server, url } = await serve(dataDir);
  const secret = await writerSecret(url, adminSecret);
  const { memory } = connect({ url, secret, retry: false });
  const history = new CommandHistory();
  const clients = Array.from(
    { length: WRITERS },
    (_, index) => new LoadClient(`writer-${index}`, scope, randomFrom(index)),
  );
  const first = clients.map(async (client) => {
    for (let count = 0; count < COMMANDS_BEFORE / WRITERS; count += 1) {
      await client.step(memory, history);
    }
  });
  await Promise.all(first);
  const load = Promise.all(clients.map((client) => client.run(memory, history)));

  const taken: { path: string; acknowledged: number }[] = [];
  for (let count = 0; count < SNAPSHOTS; count += 1) {
    const acknowledged = history.acknowledged.length;
    const { path } = await takeSnapshot();
    taken.push({ path, acknowledged });
    // The server continued, and still excludes other processes.
    expect(history.acknowledged.length).toBeGreaterThan(acknowledged);
    const rival = await run('serve', '--port', '0', '--data-dir', dataDir);
    expect(rival.error).toContain('in use by another process');
  }
  const inUse = await run('verify-store', '--data-dir', dataDir);
  expect(inUse).toMatchObject({ status: 1, out: '' });
  expect(inUse.error).toContain('in use by another process');
  await server.stop();
  await load;

  for (const [index, { path, acknowledged }] of taken.entries()) {
    const restored = join(home, `restored-${index}`);
    const report = await run('restore', path, '--data-dir', restored, '--json');
    expect(report).toMatchObject({ status: 0, error: '' });
    expect(JSON.parse(report.out)).toMatchObject({ status: 'restored' });
    expect((await run('verify-store', '--data-dir', restored)).status).toBe(0);
    const { server: other, url: otherUrl } = await serve(restored);
    const restoredMemory = connect({ url: otherUrl, secret }).memory;
    // A lost command would be applied now, and answered with other ids and times.
    const copied = history.acknowledged.slice(0, acknowledged);
    const sent = Promise.all(copied.map(({ command }) => send(restoredMemory, command)));
    expect(await sent).toEqual(copied.map(({ receipt }) => receipt));
    await other.stop();
  }
  console.info(`${history.acknowledged.length} commands were acknowledged meanwhile.`);
});

test('concurrent snapshots are made one at a time, each with its own id', async () => {
  bootstrapTenant(dataDir, 'acme');
  const { snapshot_id } = await takeSnapshot();
  const lock = await openLmdbStore({
    directory: join(dataDir, 'snapshots', '.lock'),
    reserveBytes: 0,
  });
  const refused = await run('snapshot', '--data-dir', dataDir);
  expect(refused).toMatchObject({ status: 1, out: '' });
  expect(refused.error).toMatch(/^agentkeep: Another snapshot is being made\./);
  await lock.close();
  const both = await Promise.all([1, 2].map(() => run('snapshot', '--data-dir', dataDir)));
  const made = both.filter(({ status }) => status === 0);
  expect(made.length).toBeGreaterThan(0);
  const ids = snapshotNames().filter(isListed);
  expect(ids).toContain(snapshot_id);
  expect(ids).toHaveLength(1 + made.length);
});

test('a killed snapshot is not listed and does not affect the server', async () => {
  const adminSecret = bootstrapTenant(dataDir, 'acme');
  const { server, url } = await serve(dataDir);
  const secret = await writerSecret(url, adminSecret);
  await takeSnapshot();
  let listed: string[];
  // On a busy machine a snapshot may be finished before the kill.
  do {
    listed = snapshotNames().filter(isListed);
    await killSnapshot();
  } while (!snapshotNames().some(isUnfinished));
  expect(snapshotNames().filter(isListed)).toEqual(listed);

  const history = new CommandHistory();
  const client = new LoadClient('writer', scope, randomFrom(1));
  await client.step(connect({ url, secret }).memory, history);
  expect(await server.stop()).toBe(0);
  const { url: nextUrl, server: next } = await serve(dataDir);
  expect(snapshotNames().some(isUnfinished)).toBe(false);
  await client.step(connect({ url: nextUrl, secret }).memory, history);
  const { path } = await takeSnapshot();
  expect(existsSync(join(path, 'manifest.json'))).toBe(true);
  expect(await next.stop()).toBe(0);
});

test('restoring a damaged snapshot or into a filled directory is refused', async () => {
  bootstrapTenant(dataDir, 'acme');
  const { path, size_bytes } = await takeSnapshot();
  expect(size_bytes).toBeGreaterThan(0);
  const latest = join(dataDir, 'snapshots', 'latest');
  const notEmpty = await run('restore', latest, '--data-dir', dataDir);
  expect(notEmpty).toMatchObject({ status: 1, out: '' });
  expect(notEmpty.error).toMatch(/is not empty\..*--force/);
  const restored = await run('restore', latest, '--data-dir', dataDir, '--force');
  expect(restored).toMatchObject({ status: 0, error: '' });
  expect(restored.out).toContain('\n  tenants: 1\n');

  await truncate(join(path, 'data.mdb'), 4_096);
  const target = join(home, 'target');
  const refused = await run('restore', path, '--data-dir', target);
  expect(refused).toMatchObject({ status: 1, out: '' });
  expect(refused.error).toContain('is not the file that the manifest describes');
  expect(existsSync(target)).toBe(false);

  await truncate(join(dataDir, 'data.mdb'), 4_096);
  const damaged = await run('verify-store', '--data-dir', dataDir);
  expect(damaged).toMatchObject({ status: 1, out: '' });
  expect(damaged.error).toMatch(/^agentkeep: .*\n {2}because: /);
});

test('a comparison names the families that differ, and refuses a served store', async () => {
  bootstrapTenant(dataDir, 'acme');
  const { path } = await takeSnapshot();
  const copy = join(home, 'copy');
  await run('restore', path, '--data-dir', copy);
  const words = ['verify-store', '--data-dir', copy, '--source', dataDir];
  const equal = await run(...words, '--json');
  expect(JSON.parse(equal.out)).toMatchObject({ status: 'verified_equal' });
  bootstrapTenant(copy, 'other');
  const { status, out, error } = await run(...words);
  expect({ status, out }).toEqual({ status: 1, out: '' });
  const differing = 'tenants, credentials, credentialEvents, auditHeads, auditBlocks';
  expect(error).toContain(`differ in ${differing}.`);
  await serve(dataDir);
  expect((await run(...words)).error).toContain(`has ${dataDir} open. Stop it`);
  const served = await run('restore', path, '--data-dir', dataDir, '--force');
  expect(served.error).toContain('in use by another process');
  const overlap = await run('verify-store', '--data-dir', copy, '--source', copy);
  expect(overlap.error).toContain('is or contains the other one');
});
