/** A keep that is copied to a bucket: two primaries, restore and promotion, and a bucket away. */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@agentkeep/testkit/eventually';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { answer, BucketServer } from '@agentkeep/testkit/bucket-server';
import type { Keep } from '../../keep/keep.js';
import { openKeep } from '../../keep/open-keep.js';
import { hasCode } from '../../contract/errors/agentkeep-error.js';
import { agentFor, followReplica, promoteReplica, restoreReplica } from '../../operator.js';

const scope = { project_id: 'p', agent_id: 'a', visibility: 'private' } as const;

let server: BucketServer;
let home: string;
const open: Keep[] = [];

beforeEach(async () => {
  server = await BucketServer.start();
  home = await mkdtemp(join(tmpdir(), 'agentkeep-bucket-'));
});

afterEach(async () => {
  server.gate = () => 'pass';
  for (const keep of open.splice(0)) await keep.close();
  await server.close();
  await rm(home, { recursive: true });
});

async function opened(directory: string, lagMs = 100): Promise<Keep> {
  const replicateTo = { target: server.address('keep'), lagMs };
  const keep = await openKeep({ dataDir: join(home, directory), replicateTo });
  open.push(keep);
  return keep;
}

async function closed(keep: Keep): Promise<void> {
  open.splice(open.indexOf(keep), 1);
  await keep.close();
}

async function remember(keep: Keep, text: string): Promise<void> {
  const agent = await agentFor(keep, { tenantId: 'acme', subjectId: 'ann', scopes: [scope] });
  await agent.memory.in(scope).remember(text);
}

async function textsIn(directory: string): Promise<string[]> {
  await using keep = await openKeep({ dataDir: join(home, directory) });
  const agent = await agentFor(keep, { tenantId: 'acme', subjectId: 'ann', scopes: [scope] });
  const texts: string[] = [];
  for await (const { record } of agent.memory.in(scope).search({}))
    texts.push(record.payload.content.primary);
  return texts.sort();
}

/** Promotes a directory beside a server that may still commit. */
async function promoteAtEnd(target: string, dataDir: string): Promise<void> {
  try {
    await promoteReplica({ target, dataDir });
  } catch (error) {
    if (!hasCode(error, 'replica_behind')) throw error;
    await using follower = await followReplica({ target, dataDir });
    await follower.catchUp();
    await follower.close();
    await promoteAtEnd(target, dataDir);
  }
}

/** Waits until a target has everything, and a whole copy. */
async function copied(keep: Keep): Promise<void> {
  await eventually(() => {
    expect(keep.replication()).toMatchObject({ state: 'shipping', lagFrames: 0 });
    expect(keep.replication()?.copyMs).toBeDefined();
  });
}

// docs/contract/replication.md#rep-45
test('of two primaries of a bucket the promoted one appends, and the revived one is fenced', async () => {
  const old = await opened('data');
  await remember(old, 'one');
  await copied(old);
  const from = server.address('keep');
  await restoreReplica({ from, dataDir: join(home, 'restored') });
  await promoteAtEnd(from, join(home, 'restored'));
  const promoted = await opened('restored');
  await remember(old, 'late');
  await remember(promoted, 'two');
  await eventually(() => {
    expect(old.replication()).toMatchObject({
      state: 'fenced',
      lastError: { code: 'replica_fenced' },
    });
  });
  await copied(promoted);
  await closed(old);
  await closed(promoted);
  await expect(opened('data')).rejects.toMatchObject({ code: 'replica_fenced' });
  await restoreReplica({ from, dataDir: join(home, 'last') });
  expect(await textsIn('last')).toEqual(['one', 'two']);
});

// docs/contract/replication.md#rep-7
test('a bucket that is full is away: writes go on, and are sent once there is room', async () => {
  const keep = await opened('data');
  await copied(keep);
  server.gate = (request, response) => {
    if (request.method !== 'PUT') return 'pass';
    void answer(request, response, 507, 'InsufficientStorage');
    return 'answered';
  };
  await remember(keep, 'while full');
  await eventually(() => {
    expect(keep.replication()).toMatchObject({
      state: 'away',
      lastError: { code: 'replica_unavailable' },
    });
  });
  expect(keep.replication()?.lagBytes).toBeGreaterThan(0);
  server.gate = () => 'pass';
  await copied(keep);
  await restoreReplica({ from: server.address('keep'), dataDir: join(home, 'restored') });
  expect(await textsIn('restored')).toEqual(['while full']);
});

// docs/contract/replication.md#rep-46
test('a bucket without one of its slots is refused, and nothing is restored', async () => {
  const keep = await opened('data');
  await copied(keep);
  for (const text of ['one', 'two', 'three']) {
    await remember(keep, text);
    await copied(keep);
  }
  await closed(keep);
  const slots = [...server.keys].filter((key) => key.includes('/log/')).sort();
  server.gate = (request, response) => {
    if (slots.at(-2) === undefined || !request.url?.startsWith(slots.at(-2) ?? '')) return 'pass';
    void answer(request, response, 404, 'NoSuchKey');
    return 'answered';
  };
  const dataDir = join(home, 'restored');
  await expect(restoreReplica({ from: server.address('keep'), dataDir })).rejects.toMatchObject({
    code: 'replica_missing',
  });
  expect(await readdir(dataDir)).toEqual([]);
});

// docs/contract/replication.md#rep-70
test('a directory follows a bucket, while it is away and after, and takes it over', async () => {
  const target = server.address('keep');
  const dataDir = join(home, 'standby');
  const keep = await opened('data');
  await using follower = await followReplica({ target, dataDir, pollMs: 3_600_000 });
  await remember(keep, 'one');
  await copied(keep);
  await follower.catchUp();
  const { position } = follower.status;
  expect(follower.status.status).toBe('following');
  server.gate = (request, response) => {
    void answer(request, response, 503, 'SlowDown');
    return 'answered';
  };
  await follower.catchUp();
  expect(follower.status).toMatchObject({ status: 'away', position });
  server.gate = () => 'pass';
  await remember(keep, 'two');
  await copied(keep);
  await closed(keep);
  await follower.catchUp();
  expect(follower.status.status).toBe('following');
  expect(follower.status.position).toBeGreaterThan(position);
  await follower.close();
  await promoteReplica({ target, dataDir });
  await closed(await opened('standby'));
  expect(await textsIn('standby')).toEqual(['one', 'two']);
});
