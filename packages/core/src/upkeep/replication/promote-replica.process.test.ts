/** A restored directory takes the target over, and the one that wrote to it is fenced. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openKeep } from '../../keep/open-keep.js';
import { agentFor, promoteReplica, restoreReplica } from '../../operator.js';
import type { Keep } from '../../keep/keep.js';

let home: string;
let target: string;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'agentkeep-promote-'));
  target = join(home, 'target');
});

afterEach(() => rm(home, { recursive: true }));

const opened = (name: string): Promise<Keep> =>
  openKeep({ dataDir: join(home, name), replicateTo: { target, mode: 'acknowledged' } });

async function rememberIn(keep: Keep, text: string): Promise<void> {
  const agent = await agentFor(keep, { tenantId: 'acme', subjectId: 'ann' });
  await agent.memory.remember(text);
}

async function textsAt(name: string): Promise<string[]> {
  await using keep = await openKeep({ dataDir: join(home, name) });
  const agent = await agentFor(keep, { tenantId: 'acme', subjectId: 'ann' });
  const texts: string[] = [];
  for await (const { record } of agent.memory.search({}))
    texts.push(record.payload.content.primary);
  return texts.toSorted();
}

test('REP-53 a standby takes over from a lost primary, which can no longer write', async () => {
  const old = await opened('old');
  await rememberIn(old, 'one');
  await old.close();
  const dataDir = join(home, 'new');
  await restoreReplica({ from: target, dataDir });
  await expect(opened('new')).rejects.toMatchObject({ code: 'replica_fenced' });
  const report = await promoteReplica({ target, dataDir });
  expect(report).toMatchObject({ status: 'promoted', epoch: 2, generation: 1 });
  expect(await promoteReplica({ target, dataDir })).toEqual(report);
  const promoted = await opened('new');
  await rememberIn(promoted, 'two');
  await promoted.close();
  await expect(opened('old')).rejects.toMatchObject({ code: 'replica_fenced' });
  await restoreReplica({ from: target, dataDir: join(home, 'copy') });
  expect(await textsAt('copy')).toEqual(['one', 'two']);
});

test('REP-53 a directory of an earlier moment begins a generation, only where that is asked for', async () => {
  const old = await opened('old');
  await rememberIn(old, 'one');
  await old.close();
  const dataDir = join(home, 'new');
  const { position } = await restoreReplica({ from: target, dataDir });
  const again = await opened('old');
  await rememberIn(again, 'two');
  await again.close();
  const refused = promoteReplica({ target, dataDir });
  await expect(refused).rejects.toMatchObject({ code: 'replica_behind' });
  const report = await promoteReplica({ target, dataDir, newGeneration: true });
  expect(report).toMatchObject({ epoch: 2, generation: 2, position });
  const promoted = await opened('new');
  await rememberIn(promoted, 'three');
  await promoted.close();
  await restoreReplica({ from: target, dataDir: join(home, 'newest') });
  await restoreReplica({ from: target, dataDir: join(home, 'earlier'), generation: 1 });
  expect(await textsAt('newest')).toEqual(['one', 'three']);
  expect(await textsAt('earlier')).toEqual(['one', 'two']);
});
