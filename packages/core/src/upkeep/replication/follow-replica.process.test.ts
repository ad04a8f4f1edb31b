/** A directory that follows a target: equal to the primary at each commit, refused otherwise. */
import { mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@agentkeep/testkit/eventually';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { newKeys } from '../../../test/key-kit.js';
import { contentOfStandby, ReplicatedStore } from '../../../test/replicated-store.js';
import type { Keep } from '../../keep/keep.js';
import { openKeep } from '../../keep/open-keep.js';
import {
  agentFor,
  bootstrapTenant,
  type Follower,
  followReplica,
  promoteReplica,
  restoreReplica,
} from '../../operator.js';
import { slotName } from './log/replica-slot.js';
import { shipLedger } from './copies/ship-ledger.js';

let home: string;
let target: string;
let dataDir: string;
const open: { close(): Promise<unknown> }[] = [];

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'agentkeep-follow-'));
  target = join(home, 'target');
  dataDir = join(home, 'standby');
});

afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
  keeps.clear();
  await rm(home, { recursive: true });
});

async function replicated(directory = 'data'): Promise<ReplicatedStore> {
  const made = await ReplicatedStore.open(join(home, directory), target);
  open.push(made.store);
  return made;
}

async function follower(directory = dataDir): Promise<Follower> {
  const made = await followReplica({ target, dataDir: directory, pollMs: 3_600_000 });
  open.push(made);
  return made;
}

/** Lets a keep remember texts. It may commit more than that, at any time. */
async function write(source: ReplicatedStore, ...texts: readonly string[]): Promise<void> {
  const agent = await agentFor(await keepOver(source), { tenantId: 'acme', subjectId: 'ann' });
  for (const text of texts) await agent.memory.remember(text);
}

const keeps = new Map<ReplicatedStore, Promise<Keep>>();

async function keepOver(source: ReplicatedStore): Promise<Keep> {
  const made =
    keeps.get(source) ?? openKeep({ store: source.store, dataDir: join(home, 'beside') });
  keeps.set(source, made);
  return made;
}

/** The last position that the target has. */
const reached = ({ log }: ReplicatedStore): number => log.tip?.last.position ?? 0;

const standbyContent = (directory = dataDir) => contentOfStandby(directory);

const refused = (directory = dataDir): Promise<unknown> =>
  followReplica({ target, dataDir: directory }).catch((error: unknown) => error);

describe('REP-70 a directory that follows', () => {
  test('gets a whole copy, then each slot, and goes on from its position', async () => {
    const source = await replicated();
    await write(source, 'a', 'b');
    await source.ship(1);
    const first = await follower();
    expect(first.status).toMatchObject({ status: 'following', generation: 1, position: 1 });
    await source.ship();
    await write(source, 'c');
    await source.ship();
    await first.catchUp();
    expect(first.status).toMatchObject({ position: reached(source), data_directory: dataDir });
    await first.close();
    await first.ended;
    expect(first.status.status).toBe('ended');
    expect(await standbyContent()).toEqual(source.contentAt(reached(source)));
    const { ino } = await stat(join(dataDir, 'data.mdb'));
    await write(source, 'd', 'e');
    await source.ship();
    await (await follower()).close();
    expect((await stat(join(dataDir, 'data.mdb'))).ino).toBe(ino);
    expect(await standbyContent()).toEqual(source.contentAt(reached(source)));
  });

  test('looks at the target by itself', async () => {
    const source = await replicated();
    await write(source, 'a');
    const positions: number[] = [];
    const made = await followReplica({
      target,
      dataDir,
      pollMs: 100,
      onChange: ({ position }) => positions.push(position),
    });
    open.push(made);
    await source.ship();
    await expect.poll(() => positions.at(-1)).toBe(reached(source));
  });

  test('goes on where a restored directory is, and where a primary lost its last commits', async () => {
    const source = await replicated();
    await write(source, 'a', 'b', 'c');
    await source.ship();
    await restoreReplica({ from: target, dataDir, position: 2 });
    await (await follower()).close();
    expect(await standbyContent()).toEqual(source.contentAt(reached(source)));
  });
});

describe('REP-71 a standby', () => {
  test('is opened by nothing else until it is promoted', async () => {
    const primary = await openKeep({
      dataDir: join(home, 'primary'),
      replicateTo: { target, mode: 'acknowledged' },
    });
    // A close waits for the first whole copy only a few seconds.
    await eventually(() => {
      expect(primary.replication()?.copyMs).toBeDefined();
    });
    await primary.close();
    const made = await follower();
    await expect(openKeep({ dataDir })).rejects.toMatchObject({ code: 'replica_fenced' });
    await made.close();
    await expect(openKeep({ dataDir })).rejects.toMatchObject({ code: 'replica_fenced' });
    await expect(openKeep({ dataDir, replicateTo: target })).rejects.toMatchObject({
      code: 'replica_fenced',
      message: expect.stringContaining('`agentkeep promote`'),
    });
    const { position } = made.status;
    const report = await promoteReplica({ target, dataDir });
    expect(report).toMatchObject({ epoch: 2, generation: 1, position });
    const promoted = await openKeep({ dataDir, replicateTo: { target, mode: 'acknowledged' } });
    expect(promoted.replication()).toMatchObject({ epoch: 2, generation: 1 });
    await promoted.close();
    // The one that is fenced can follow the new one, because all that it has is in the target.
    const old = await follower(join(home, 'primary'));
    expect(old.status.position).toBeGreaterThanOrEqual(position);
  });
});

describe('REP-72 a standby begins anew with a whole copy', () => {
  test('where the target removed the slots after its position', async () => {
    const source = await replicated();
    await write(source, 'a');
    await source.ship();
    const made = await follower();
    await write(source, 'b', 'c');
    await source.ship(1);
    await source.ship();
    await source.base();
    for (const slot of [1, 2, 3]) await source.target.remove(slotName(slot));
    await write(source, 'd');
    await source.ship();
    await made.catchUp();
    expect(made.status).toMatchObject({ status: 'following', position: reached(source) });
    await made.close();
    expect(await standbyContent()).toEqual(source.contentAt(reached(source)));
    expect((await readdir(dataDir)).sort()).toEqual(['agentkeep.json', 'data.mdb', 'standby.json']);
  });

  test('where the target begins a generation, once that has a copy', async () => {
    const source = await replicated();
    await write(source, 'a', 'b');
    await source.ship();
    const position = reached(source);
    const made = await follower();
    await source.log.claim({ last: source.frames.tip, generation: 'next' });
    await write(source, 'c');
    await source.ship();
    await made.catchUp();
    expect(made.status).toMatchObject({ status: 'waiting', generation: 1, position });
    await source.base();
    await source.ship();
    await made.catchUp();
    const { position: end } = made.status;
    expect(made.status).toMatchObject({ status: 'following', generation: 2 });
    expect(end).toBe(reached(source));
    await made.close();
    expect(await standbyContent()).toEqual(source.contentAt(reached(source)));
  });

  test('where an interrupted call was putting one in place', async () => {
    const source = await replicated();
    await write(source, 'a');
    await source.ship();
    await (await follower()).close();
    const mark = JSON.parse(await readFile(join(dataDir, 'standby.json'), 'utf8')) as object;
    await writeFile(join(dataDir, 'standby.json'), JSON.stringify({ ...mark, reached: null }));
    await rm(join(dataDir, 'data.mdb'));
    await (await follower()).close();
    expect(await standbyContent()).toEqual(source.contentAt(reached(source)));
  });
});

describe('REP-73 a standby refuses', () => {
  test('a slot that is damaged or missing, and keeps what came before', async () => {
    const source = await replicated();
    await write(source, 'a', 'b', 'c');
    await source.ship(1);
    const made = await follower();
    await source.ship(1);
    await source.ship(1);
    const path = join(target, slotName(3));
    const bytes = await readFile(path);
    await rm(path);
    await made.catchUp();
    await expect(made.ended).rejects.toMatchObject({ code: 'replica_missing' });
    expect(made.status).toMatchObject({ status: 'ended', position: 1 });
    const changed = Buffer.from(bytes);
    changed[changed.length - 1]! ^= 1;
    await writeFile(path, changed);
    expect(await refused()).toMatchObject({ code: 'replica_damaged' });
    await writeFile(path, bytes);
    await (await follower()).close();
    expect(await standbyContent()).toEqual(source.contentAt(reached(source)));
  });

  test('a target of another store, and a directory that has something else', async () => {
    const source = await replicated();
    await write(source, 'a');
    await source.ship();
    await writeFile(join(home, 'file'), '');
    expect(await refused(home)).toMatchObject({ code: 'directory_not_empty' });
    await (await follower()).close();
    target = join(home, 'other');
    const other = await replicated('second');
    await other.ship();
    expect(await refused()).toMatchObject({ code: 'replica_foreign' });
  });

  test('a directory that has commits which the target lacks', async () => {
    const source = await replicated();
    await write(source, 'a');
    await source.ship();
    await restoreReplica({ from: target, dataDir });
    const keep = await openKeep({ dataDir });
    await keep.close();
    expect(await refused()).toMatchObject({
      code: 'store_incompatible',
      message: expect.stringContaining('--new-generation'),
    });
    expect(await readdir(dataDir)).not.toContain('standby.json');
  });
});

describe('REP-70 a target without a whole copy', () => {
  test('is waited for, then followed', async () => {
    const made = await follower();
    expect(made.status).toMatchObject({ status: 'waiting', position: 0, committed_at: null });
    await made.catchUp();
    expect(made.status.status).toBe('waiting');
    const source = await replicated();
    await write(source, 'a');
    await source.ship();
    await made.catchUp();
    expect(made.status).toMatchObject({ status: 'following', position: reached(source) });
    await made.close();
    expect(await standbyContent()).toEqual(source.contentAt(reached(source)));
  });

  test('leaves a directory that can be followed into again', async () => {
    await (await follower()).close();
    await (await follower()).close();
    expect(await readdir(dataDir)).toEqual([]);
  });
});

describe('REP-75 what was erased', () => {
  const eraseAnn = async (keep: Keep): Promise<string> => {
    const { secret } = await bootstrapTenant(keep, { tenantId: 'acme', subjectId: 'ops' });
    const admin = await keep.authenticate(secret);
    const { id } = await admin.erasures.start({ kind: 'subject', subject_id: 'ann' });
    const status = async () => (await admin.erasures.get(id)).status;
    await expect.poll(status).toBe('finished');
    return secret;
  };

  test('after the last commit of a standby is erased once it takes over', async () => {
    const source = await replicated();
    await write(source, 'of Ann');
    await source.ship();
    await (await follower()).close();
    await eraseAnn(await keepOver(source));
    // The target has the ledger, but no frame of the erasure.
    await shipLedger(source.target, join(home, 'beside'));
    await promoteReplica({ target, dataDir });
    const keep = await openKeep({ dataDir });
    open.push(keep);
    const ann = agentFor(keep, { tenantId: 'acme', subjectId: 'ann', renew: true });
    await expect(ann).rejects.toMatchObject({ code: 'subject_erased' });
  });

  test('is gone from a standby of an encrypted store, which needs no keys to follow', async () => {
    const encryption = await newKeys();
    const source = await replicated();
    const options = { store: source.store, dataDir: join(home, 'beside'), encryption };
    keeps.set(source, openKeep(options));
    await write(source, 'of Ann');
    await source.ship();
    const made = await follower();
    await eraseAnn(await keepOver(source));
    await source.ship();
    await made.catchUp();
    await made.close();
    expect(await standbyContent()).toEqual(source.contentAt(reached(source)));
    expect([...(await standbyContent()).values()].join('')).not.toContain('of Ann');
    await promoteReplica({ target, dataDir });
    const promoted = await openKeep({ dataDir, encryption });
    open.push(promoted);
    expect(await promoted.isReady()).toBe(true);
  });
});

test('REP-74 a standby waits while the target is away, and says since when', async () => {
  const source = await replicated();
  await write(source, 'a');
  await source.ship();
  let nowMs = 1_000;
  const clock = { now: () => nowMs, monotonic: () => nowMs };
  const made = await followReplica({ target, dataDir, pollMs: 3_600_000, clock });
  open.push(made);
  await rename(target, `${target}-away`);
  nowMs += 7_000;
  await made.catchUp();
  expect(made.status).toMatchObject({ status: 'away', lag_millis: 7_000 });
  await rename(`${target}-away`, target);
  await write(source, 'b');
  await source.ship();
  await made.catchUp();
  expect(made.status).toMatchObject({
    status: 'following',
    lag_millis: 0,
    position: reached(source),
  });
});
