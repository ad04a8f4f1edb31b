/** `agentkeep restore --from` and `agentkeep drill restore --from` of a replication target. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openKeep } from '@agentkeep/core';
import { agentFor } from '@agentkeep/core/operator';
import { BucketServer } from '@agentkeep/testkit/bucket-server';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { runCommand } from './run-command.js';

let folder: string;
let target: string;
let restored: string;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'agentkeep-restore-'));
  [target, restored] = [join(folder, 'target'), join(folder, 'restored')];
  const replicateTo = { target, mode: 'acknowledged' } as const;
  await using keep = await openKeep({ dataDir: join(folder, 'data'), replicateTo });
  const agent = await agentFor(keep, { tenantId: 'acme', subjectId: 'ann' });
  await agent.memory.remember('Ann prefers short answers.');
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

const restoreInto = (dataDir: string, ...words: readonly string[]) =>
  runCommand(['restore', '--data-dir', dataDir, ...words]);
const restore = (...words: readonly string[]) => restoreInto(restored, ...words);

/** The position of the base copy, which starts beside the first commits. */
async function oldestPosition(): Promise<string> {
  const { error } = await restoreInto(join(folder, 'none'), '--from', target, '--position', '0');
  return /reaches back to position (\d+)/.exec(error)?.[1] ?? `none in: ${error}`;
}

test('CMD-53 restores the newest state, a time or a position', async () => {
  const { status, out, error } = await restore('--from', target, '--json');
  expect({ status, error }).toEqual({ status: 0, error: '' });
  const report = JSON.parse(out) as { position: number; committed_at: string };
  expect(report).toMatchObject({
    contract_version: 1,
    status: 'restored',
    data_directory: restored,
    generation: 1,
    records: { memoryScan: 1 },
  });
  await using keep = await openKeep({ dataDir: restored });
  const agent = await agentFor(keep, { tenantId: 'acme', subjectId: 'ann' });
  expect((await agent.memory.recall('answers')).map(({ text }) => text)).toEqual([
    'Ann prefers short answers.',
  ]);
  const at = join(folder, 'at');
  const byTime = await restoreInto(at, '--from', target, '--at', report.committed_at);
  expect(byTime.out).toContain(`position ${report.position} of generation 1, committed at `);
  const first = ['--from', target, '--position', await oldestPosition(), '--generation', '1'];
  expect(await restoreInto(join(folder, 'first'), ...first)).toMatchObject({ status: 0 });
});

test('CMD-53 refuses what does not go together, and names what does not verify', async () => {
  const errorOf = async (...words: readonly string[]) => (await restore(...words)).error;
  expect(await errorOf('--at', '2026-01-01')).toContain('--from');
  expect(await errorOf('--from', target, '--at', 'noon')).toContain('is not a time');
  expect(await errorOf('--from', target, '--position', '-1')).toContain('is not a whole number');
  expect(await errorOf('--from', target, 'snapshot')).toContain('but not both');
  expect(await errorOf('--from', target, '--at', '1', '--position', '1')).toContain('one of them');
  expect(await errorOf('--from', target, '--force')).toContain('without --force');
  expect(await errorOf('--from', target, '--at', '1')).toContain('reaches back to position');
  const slots = readdirSync(join(target, 'log'));
  truncateSync(join(target, 'log', slots.at(-1) ?? ''), 10);
  const damaged = await errorOf('--from', target);
  expect(damaged).toContain('Restore a moment before it');
  expect(damaged).toContain(`because: The object log/${slots.at(-1)} of the replication target`);
  expect(readdirSync(restored)).toEqual([]);
});

test('CMD-54 a drill restores the target elsewhere and removes the copy', async () => {
  const to = join(folder, 'spare');
  mkdirSync(to);
  const words = ['drill', 'restore', '--from', target, '--to', to];
  const { status, out, error } = await runCommand([...words, '--json']);
  expect({ status, error }).toEqual({ status: 0, error: '' });
  const report = JSON.parse(out) as Record<string, number>;
  expect(report).toMatchObject({ contract_version: 1, status: 'restored', generation: 1 });
  expect(report.age_millis).toBeGreaterThanOrEqual(0);
  expect(report.entries).toBeGreaterThan(5);
  expect((await runCommand(words)).out).toMatch(
    /position \d+ of generation 1, and removed the copy/,
  );
  expect(readdirSync(to)).toEqual([]);
});

describe('CMD-54 a drill restores from a bucket', () => {
  let bucket: BucketServer;
  let spare: string;

  beforeEach(async () => {
    bucket = await BucketServer.start();
    spare = join(folder, 'spare');
    mkdirSync(spare);
  });

  afterEach(async () => {
    await bucket.close();
  });

  const drill = async (from: string) => {
    const run = await runCommand(['drill', 'restore', '--from', from, '--to', spare]);
    expect(readdirSync(spare)).toEqual([]);
    return run;
  };

  async function copiedTo(name: string): Promise<void> {
    const replicateTo = { target: bucket.address(name), mode: 'acknowledged' } as const;
    await using keep = await openKeep({ dataDir: join(folder, name), replicateTo });
    const agent = await agentFor(keep, { tenantId: 'acme', subjectId: 'ann' });
    await agent.memory.remember('Ann prefers short answers.');
  }

  test('verifies its newest state, and removes the copy', async () => {
    await copiedTo('ours');
    const { status, out, error } = await drill(bucket.address('ours'));
    expect({ status, error }).toEqual({ status: 0, error: '' });
    expect(out).toMatch(/verified position \d+ of generation 1, and removed the copy/);
  });

  test('refuses one that is empty, is absent, or has a part of another store', async () => {
    const errorOf = async (from: string) => {
      const { status, error } = await drill(from);
      expect(status).toBe(1);
      return error;
    };
    expect(await errorOf(bucket.address('empty'))).toContain('Is it the right address?');
    const absent = bucket.address('ours').replace('s3://keep/', 's3://absent/');
    expect(await errorOf(absent)).toContain("s3://absent/ours/ can't be used (NoSuchBucket)");
    await copiedTo('ours');
    await copiedTo('theirs');
    bucket.gate = (request) => {
      if (request.method === 'GET') {
        request.url = request.url?.replace('/ours/log/', '/theirs/log/') ?? '';
      }
      return 'pass';
    };
    const foreign = await errorOf(bucket.address('ours'));
    expect(foreign).toMatch(/belongs to another store/u);
    expect(foreign).toContain('Nothing was restored.');
  });
});

test('CMD-56 promotes a restored directory, and says what to do where it is behind', async () => {
  await restore('--from', target);
  const oldest = await oldestPosition();
  await restoreInto(join(folder, 'first'), '--from', target, '--position', oldest);
  const promote = (dataDir: string, ...words: readonly string[]) =>
    runCommand(['promote', target, '--data-dir', dataDir, ...words]);
  expect((await promote(join(folder, 'first'))).error).toContain('--new-generation');
  expect((await promote(restored)).out).toContain('of generation 1, in epoch 2');
  const { out } = await promote(join(folder, 'first'), '--new-generation', '--json');
  expect(JSON.parse(out)).toMatchObject({ status: 'promoted', epoch: 3, generation: 2 });
});
