/** `agentkeep follow` of a replication target, as a program that runs. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { openKeep, type Keep } from '@agentkeep/core';
import { agentFor } from '@agentkeep/core/operator';
import { BucketServer } from '@agentkeep/testkit/bucket-server';
import { eventually } from '@agentkeep/testkit/eventually';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runCommand } from './run-command.js';

let folder: string;
let target: string;
let standby: string;
let keep: Keep | undefined;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'agentkeep-follow-'));
  [target, standby] = [join(folder, 'target'), join(folder, 'standby')];
  const replicateTo = { target, mode: 'acknowledged' } as const;
  keep = await openKeep({ dataDir: join(folder, 'data'), replicateTo });
  await remember('Ann prefers short answers.');
  await eventually(() => expect(keep?.replication()?.copyMs).toBeDefined());
});

afterEach(async () => {
  await keep?.close();
  rmSync(folder, { recursive: true });
});

async function remember(text: string): Promise<void> {
  if (keep === undefined) throw new Error('There is no keep.');
  const agent = await agentFor(keep, { tenantId: 'acme', subjectId: 'ann' });
  await agent.memory.remember(text);
}

const follow = (...words: readonly string[]) =>
  runCommand(['follow', target, '--data-dir', standby, ...words]);

test('CMD-55 follows once, and the promoted directory has what was there', async () => {
  const { status, out, error } = await follow('--once', '--json');
  expect({ status, error }).toEqual({ status: 0, error: '' });
  const first = JSON.parse(out) as { position: number };
  expect(first).toMatchObject({ contract_version: 1, status: 'following', generation: 1 });
  await remember('Ann lives in Lyon.');
  await keep?.close();
  const { out: text } = await follow('--once');
  expect(text).toMatch(/is up to date with .*target: position \d+ of generation 1, committed at /);
  expect((await runCommand(['verify-store', '--data-dir', standby])).status).toBe(0);
  const refused = await runCommand(['bootstrap-master', 'root', '--data-dir', standby]);
  expect(refused.error).toContain('follows a replication target');
  expect((await runCommand(['promote', target, '--data-dir', standby])).status).toBe(0);
  const replicateTo = { target, mode: 'acknowledged' } as const;
  keep = await openKeep({ dataDir: standby, replicateTo });
  const agent = await agentFor(keep, { tenantId: 'acme', subjectId: 'ann' });
  const found = await agent.memory.recall('where does Ann live');
  expect(found.map((each) => each.text)).toContain('Ann lives in Lyon.');
});

test('CMD-55 follows a bucket once, and takes it over', async () => {
  await keep?.close();
  const bucket = await BucketServer.start();
  try {
    const from = bucket.address('keep');
    const replicateTo = { target: from, mode: 'acknowledged' } as const;
    keep = await openKeep({ dataDir: join(folder, 'data'), replicateTo });
    await eventually(() => expect(keep?.replication()?.copyMs).toBeDefined());
    await remember('Ann lives in Lyon.');
    await keep.close();
    const { status, out } = await runCommand(['follow', from, '--data-dir', standby, '--once']);
    expect(status).toBe(0);
    expect(out).toContain(`is up to date with ${from}: position `);
    expect((await runCommand(['promote', from, '--data-dir', standby])).status).toBe(0);
    await using promoted = await openKeep({ dataDir: standby, replicateTo });
    const agent = await agentFor(promoted, { tenantId: 'acme', subjectId: 'ann' });
    const [found] = await agent.memory.recall('where does Ann live');
    expect(found?.text).toBe('Ann lives in Lyon.');
  } finally {
    await bucket.close();
  }
});

test('CMD-55 waits for the first whole copy of the target, also with --once', async () => {
  await keep?.close();
  const later = join(folder, 'later');
  const lines: string[] = [];
  const followed = runCommand(['follow', later, '--data-dir', standby, '--once'], {
    onOut: (text) => lines.push(text),
  });
  await eventually(() => expect(lines.join('')).toContain('waiting for the first whole copy'));
  keep = await openKeep({ dataDir: join(folder, 'other'), replicateTo: later });
  const { status, out } = await followed;
  expect(status).toBe(0);
  expect(out).toMatch(/is up to date with .*later: position \d+ of generation 1/);
});

test('CMD-55 names the part of the target that does not verify', async () => {
  // The whole copy may have what came before.
  await remember('Ann lives in Lyon.');
  await keep?.close();
  const last = readdirSync(join(target, 'log')).at(-1) ?? '';
  truncateSync(join(target, 'log', last), 10);
  const { status, error } = await follow('--once');
  expect(status).toBe(1);
  expect(error).toContain(`because: The object log/${last} of the replication target is damaged`);
});

test('CMD-55 runs until SIGTERM, with metrics of its lag', async () => {
  const program = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
  const port = ['--metrics-port', '0'];
  const words = ['follow', target, '--data-dir', standby, '--json', ...port];
  const child = spawn(process.execPath, [program, ...words], {
    // Without variables of the test run, which the command line refuses.
    env: { PATH: process.env['PATH'] ?? '', HOME: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async () => JSON.parse((await lines.next()).value as string) as { position: number };
  const { position } = await next();
  const [metrics] = (await once(createInterface({ input: child.stderr }), 'line')) as [string];
  const url = metrics.replace('Metrics: ', '');
  const text = await (await fetch(url)).text();
  expect(text).toMatch(/^agentkeep_follower_up 1$/mu);
  expect(text).toMatch(/^agentkeep_follower_lag_seconds \d/mu);
  // The keep may have committed more since that line.
  const [, shown] = /^agentkeep_follower_position (\d+)$/mu.exec(text) ?? [];
  expect(Number(shown)).toBeGreaterThanOrEqual(position);
  expect((await fetch(new URL('/readyz', url))).status).toBe(200);
  await remember('Ann lives in Lyon.');
  let reached = await next();
  while (reached.position <= position) reached = await next();
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  expect(await exit).toEqual([0, null]);
  const { out } = await follow('--once', '--json');
  expect(JSON.parse(out)).toMatchObject({ status: 'following' });
});
