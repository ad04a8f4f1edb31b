/** Directories whose target differs: written to without it, or set back by a loss of power. */
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@agentkeep/testkit/eventually';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Keep } from '../../keep/keep.js';
import { openKeep } from '../../keep/open-keep.js';
import {
  agentFor,
  examineReplica,
  followReplica,
  promoteReplica,
  restoreReplica,
} from '../../operator.js';
import { systemClock } from '../../kernel/ports/clock.js';
import { openReplicated } from './replicate.js';
import { targetUnavailable } from './targets/replica-target.js';
import { replicationSettings } from './replication-options.js';

let home: string;
let target: string;
let dataDir: string;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'agentkeep-lost-'));
  [target, dataDir] = [join(home, 'target'), join(home, 'data')];
});

afterEach(() => rm(home, { recursive: true }));

const durability = 'relaxed';

/** Commits are sent as soon as the options allow, so that no test waits for them. */
const replication = () => ({ target, lagMs: 100 });
const opened = (): Promise<Keep> => openKeep({ dataDir, durability, replicateTo: replication() });

async function rememberIn(keep: Keep, text: string): Promise<void> {
  const agent = await agentFor(keep, { tenantId: 'acme', subjectId: 'ann' });
  await agent.memory.remember(text);
}

async function textsAt(directory: string): Promise<string[]> {
  await using keep = await openKeep({ dataDir: directory, durability });
  const agent = await agentFor(keep, { tenantId: 'acme', subjectId: 'ann' });
  const texts: string[] = [];
  for await (const { record } of agent.memory.search({}))
    texts.push(record.payload.content.primary);
  return texts.toSorted();
}

async function restored(name: string, generation?: number): Promise<string[]> {
  const into = join(home, name);
  await restoreReplica({ from: target, dataDir: into, generation });
  return textsAt(into);
}

/** Waits until the target has a whole copy of the newest generation and every commit. */
async function copied(keep: Keep): Promise<void> {
  await eventually(async () => {
    expect(keep.replication()).toMatchObject({ state: 'shipping', lagFrames: 0 });
    expect((await examineReplica({ target, dataDir }))?.copyMs).toEqual(expect.any(Number));
  });
}

/** Stores texts, each in an opening of its own, which the target has. */
async function replicate(...texts: readonly string[]): Promise<void> {
  for (const text of texts) {
    const keep = await opened();
    await rememberIn(keep, text);
    await copied(keep);
    await keep.close();
  }
}

test('REP-8 what was stored without a target is in it after the next opening with it', async () => {
  await replicate('one');
  const plain = await openKeep({ dataDir, durability });
  await rememberIn(plain, 'without');
  await plain.close();
  await replicate('two');
  expect(await restored('newest')).toEqual(['one', 'two', 'without']);
  expect(await restored('first', 1)).toEqual(['one']);
});

describe('REP-76 a directory that lost commits which it had sent', () => {
  beforeEach(async () => {
    await replicate('one');
    await cp(join(dataDir, 'data.mdb'), join(home, 'older.mdb'));
    await replicate('two');
    await cp(join(home, 'older.mdb'), join(dataDir, 'data.mdb'));
    await expect(opened()).rejects.toMatchObject({
      code: 'replica_fenced',
      message: expect.stringContaining('`agentkeep follow --once`'),
    });
  });

  test('gets them from the target', async () => {
    await expect(promoteReplica({ target, dataDir })).rejects.toMatchObject({
      code: 'replica_behind',
    });
    await (await followReplica({ target, dataDir })).close();
    const report = await promoteReplica({ target, dataDir });
    expect(report).toMatchObject({ epoch: 1, generation: 1 });
    await replicate('three');
    expect(await restored('newest')).toEqual(['one', 'three', 'two']);
  });

  test('goes on without them in the next generation', async () => {
    const options = { target, dataDir, newGeneration: true };
    const report = await promoteReplica(options);
    expect(report).toMatchObject({ epoch: 2, generation: 2 });
    expect(await promoteReplica(options)).toEqual(report);
    await replicate('three');
    expect(await restored('newest')).toEqual(['one', 'three']);
    expect(await restored('earlier', 1)).toEqual(['one', 'two']);
  });

  test('goes on in the next generation where it was open while the target was away', async () => {
    const away = () => Promise.reject(targetUnavailable(target, 'It is away.'));
    const options = { directory: dataDir, durability } as const;
    const ports = { clock: systemClock, openTarget: away };
    const store = await openReplicated(options, replicationSettings(replication()), ports);
    const keep = await openKeep({ store, dataDir: join(home, 'beside') });
    for (const text of ['aside', 'beside', 'outside']) await rememberIn(keep, text);
    await keep.close();
    await expect(opened()).rejects.toMatchObject({ code: 'replica_fenced' });
    await expect(promoteReplica({ target, dataDir })).rejects.toMatchObject({
      code: 'replica_behind',
    });
    await promoteReplica({ target, dataDir, newGeneration: true });
    await replicate('three');
    expect(await restored('newest')).toEqual(['aside', 'beside', 'one', 'outside', 'three']);
  });
});
