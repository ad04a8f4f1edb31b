/** `agentkeep drill` restores and fails over on trial, and leaves nothing behind. */
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openKeep } from '@agentkeep/core';
import { agentFor, createSnapshot } from '@agentkeep/core/operator';
import { freePort } from '@agentkeep/testkit/free-port';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createServer } from '../../src/http/create-server.js';
import { startServer } from '../../src/lifecycle/start-server.js';
import { runCommand } from './run-command.js';
import { servedKeep } from './served-keep.js';

let folder: string;
let dataDir: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'agentkeep-drill-'));
  dataDir = join(folder, 'data');
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

const drill = (...words: readonly string[]) =>
  runCommand(['drill', 'restore', '--data-dir', dataDir, ...words]);

describe('drill restore', () => {
  test('OPR-136, OPR-137 restores the last snapshot beside a server, and removes the copy', async () => {
    await using keep = await openKeep({ dataDir });
    const agent = await agentFor(keep, { tenant: 'acme', subject: 'ann' });
    await agent.memory.remember('Ann prefers short answers.');
    const earliestMs = Date.now();
    const { path, snapshot_id } = await createSnapshot(keep);
    const before = readdirSync(join(dataDir, 'snapshots'));
    const { status, out, error } = await drill('--json');
    expect({ status, error }).toEqual({ status: 0, error: '' });
    const report = JSON.parse(out) as Record<string, number>;
    expect(report).toMatchObject({ contract_version: 1, status: 'restored', snapshot_id });
    expect(report.age_millis).toBeLessThanOrEqual(Date.now() - earliestMs);
    expect(report.age_millis).toBeGreaterThanOrEqual(report.took_millis ?? Infinity);
    expect(report.entries).toBeGreaterThan(5);
    expect(readdirSync(join(dataDir, 'snapshots'))).toEqual(before);
    const text = (await drill(path)).out;
    expect(text).toContain(`Restored and verified snapshot ${snapshot_id}, and removed the copy`);
    expect(text).toMatch(/age of the snapshot: [\d.]+ seconds; .+\n.+restore: [\d.]+ seconds/);
  });

  test('OPR-136 makes the copy in the folder of --to, which stays as it was', async () => {
    await using keep = await openKeep({ dataDir });
    await createSnapshot(keep);
    const to = join(folder, 'spare');
    mkdirSync(to);
    expect(await drill('--to', to)).toMatchObject({ status: 0 });
    expect(readdirSync(to)).toEqual([]);
    mkdirSync(join(to, '.drill'));
    const { status, error } = await drill('--to', to);
    expect(status).toBe(1);
    expect(error).toContain('another drill is running, or one was killed');
    expect(existsSync(join(to, '.drill'))).toBe(true);
    expect((await drill('--to', join(folder, 'absent'))).error).toContain('--to');
  });

  test('OPR-136 fails for a damaged snapshot and without one, and leaves nothing', async () => {
    expect((await drill()).error).toContain('agentkeep snapshot');
    await using keep = await openKeep({ dataDir });
    const { path } = await createSnapshot(keep);
    appendFileSync(join(realpathSync(path), 'data.mdb'), 'x');
    const { status, error } = await drill();
    expect(status).toBe(1);
    expect(error).toContain('cannot be restored');
    expect(readdirSync(join(dataDir, 'snapshots'))).not.toContain('.drill');
  });
});

describe('drill failover', () => {
  test('CMD-47 a stopped server loses nothing, and the records are removed', async () => {
    await using served = await servedKeep();
    const app = createServer(served.keep);
    const port = await freePort();
    let second = await startServer(app, { host: '127.0.0.1', port });
    const { url } = second;
    const words = ['drill', 'failover', '--server', url, '--yes', '--json'];
    const drilled = served.attempt(words);
    const agentSecret = readFileSync(join(served.folder, 'agent'), 'utf8').trim();
    const agent = await served.keep.authenticate(agentSecret);
    const memory = agent.memory.in({ project_id: 'p', agent_id: 'a', visibility: 'private' });
    const stored = async () => {
      const ids = new Set<string>();
      for await (const { record } of memory.search({})) ids.add(record.record_id);
      return ids.size;
    };
    await expect.poll(stored).toBeGreaterThan(1);
    await second.stop();
    const before = await stored();
    // More than are expected, as some may not be acknowledged.
    await expect.poll(stored).toBeGreaterThan(before + 12);
    second = await startServer(createServer(served.keep), { host: '127.0.0.1', port });
    const { status, out, error } = await drilled;
    expect({ status, error }).toEqual({ status: 0, error: expect.stringContaining('Writing.') });
    const report = JSON.parse(out) as { servers: unknown[]; acknowledged: number };
    expect(report).toMatchObject({ lost: 0, doubled: 0, is_over: true });
    expect(report.acknowledged).toBeGreaterThan(10);
    expect(report.servers).toEqual([
      { url: served.url, not_ready_millis: 0 },
      { url, not_ready_millis: expect.any(Number) },
    ]);
    expect(await stored()).toBe(0);
    await second.stop();
  });

  test('CMD-47 begins only once a person agrees, or with --yes, on servers that are ready', async () => {
    await using served = await servedKeep();
    const words = ['drill', 'failover'];
    expect((await served.attempt(words)).error).toContain('--yes');
    const asked: string[] = [];
    const ask = async (question: string) => {
      asked.push(question);
      return 'no';
    };
    expect((await served.attempt(words, { ask })).error).toContain('Nothing was written.');
    expect(asked).toEqual([expect.stringContaining(served.url)]);
    const dead = await served.attempt([...words, '--yes', '--server', 'http://127.0.0.1:1']);
    expect(dead.error).toContain('Not ready, so the drill does not begin: http://127.0.0.1:1');
    for (const seconds of ['4', '3601', 'x']) {
      expect((await served.attempt([...words, '--yes', '--seconds', seconds])).status).toBe(1);
    }
  });

  test('CMD-47 nothing that fails is exit status 1', async () => {
    await using served = await servedKeep();
    const stop = new AbortController();
    const interrupted = () => stop.signal;
    const drilled = served.attempt(['drill', 'failover', '--yes'], { interrupted });
    const agent = await served.keep.authenticate(
      readFileSync(join(served.folder, 'agent'), 'utf8').trim(),
    );
    await expect
      .poll(async () => (await agent.memory.search({})[Symbol.asyncIterator]().next()).done)
      .toBe(false);
    stop.abort();
    const { status, out, error } = await drilled;
    expect(status).toBe(1);
    expect(out).toContain('0 lost, 0 doubled');
    expect(error).toContain('No server failed, so nothing was measured.');
  });
});
