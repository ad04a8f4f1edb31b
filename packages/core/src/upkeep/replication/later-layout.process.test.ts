/** What an earlier version does with a target that a later one wrote: it refuses, and keeps all. */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import { eventually } from '@agentkeep/testkit/eventually';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { contentOf, contentOfStandby, ReplicatedStore } from '../../../test/replicated-store.js';
import { sha256Text } from '../../contract/digest.js';
import type { Keep } from '../../keep/keep.js';
import { openKeep } from '../../keep/open-keep.js';
import { agentFor, followReplica, promoteReplica, restoreReplica } from '../../operator.js';
import { framePointIn } from '../../storage/lmdb-store/frame-point.js';
import { examineReplica } from './examine-replica.js';
import { slotName } from './log/replica-slot.js';

const REFUSED = {
  code: 'store_incompatible',
  message: expect.stringContaining('Upgrade this program first') as unknown,
};

let home: string;
let target: string;
let dataDir: string;
let source: ReplicatedStore;
let primary: Keep;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'agentkeep-later-'));
  target = join(home, 'target');
  dataDir = join(home, 'standby');
  source = await ReplicatedStore.open(join(home, 'data'), target);
  primary = await openKeep({ store: source.store, dataDir: join(home, 'beside') });
  await commit('one');
});

afterEach(async () => {
  await primary.close();
  await rm(home, { recursive: true });
});

/** Stores a text, and sends all commits so far: the last one as a slot of its own. */
async function commit(text: string): Promise<void> {
  const agent = await agentFor(primary, { tenantId: 'acme', subjectId: 'ann' });
  await agent.memory.remember(text);
  await source.ship(source.frames.tip.position - reached() - 1);
  await source.ship(1);
}

const reached = (): number => source.log.tip?.last.position ?? 0;

const follow = () => followReplica({ target, dataDir, pollMs: 3_600_000 });

/** Changes the last slot, with the digest that it then has. Returns what puts it back. */
async function changeSlot(
  change: (parts: { head: string; body: Buffer }) => { head: string; body: Buffer },
): Promise<() => Promise<void>> {
  const path = join(target, slotName(source.log.tip?.slot ?? 0));
  const bytes = await readFile(path);
  const bodyAt = 44 + bytes.readUInt32BE(40);
  const parts = { head: bytes.toString('utf8', 44, bodyAt), body: bytes.subarray(bodyAt) };
  const { head, body } = change(parts);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(Buffer.byteLength(head));
  const rest = Buffer.concat([length, Buffer.from(head), body]);
  const digest = Buffer.from(sha256Text(rest, 'hex'), 'hex');
  await writeFile(path, Buffer.concat([bytes.subarray(0, 8), digest, rest]));
  return () => writeFile(path, bytes);
}

/** What a slot may state that this version doesn't know. */
const later = {
  'a slot of another format, with other members': () =>
    changeSlot(({ head, body }) => ({
      head: head.replace('"format":1', '"format":2,"more":{}'),
      body: Buffer.concat([Buffer.from('other'), body]),
    })),
  'a frame of another version': () =>
    changeSlot(({ head, body }) => {
      const frames = brotliDecompressSync(body);
      // After the length of the frame.
      frames[4] = 2;
      return { head, body: brotliCompressSync(frames) };
    }),
};

describe.each(Object.entries(later))('REP-79 %s', (_name, make) => {
  test('ends a follower, which keeps what it has, and goes on once it was upgraded', async () => {
    await (await follow()).close();
    await commit('two');
    const upgrade = await make();
    await expect(follow()).rejects.toMatchObject(REFUSED);
    const { position = 0 } = (await framePointIn(dataDir)) ?? {};
    expect(position).toBeLessThan(reached());
    expect(await contentOfStandby(dataDir)).toEqual(source.contentAt(position));
    await upgrade();
    const again = await follow();
    await again.close();
    expect(await contentOfStandby(dataDir)).toEqual(source.contentAt(reached()));
  });

  test('ends a follower that runs, and is nothing to begin or restore with', async () => {
    const running = await follow();
    await commit('two');
    await make();
    await running.catchUp();
    expect(running.status.status).toBe('ended');
    await expect(running.ended).rejects.toMatchObject(REFUSED);
    const empty = join(home, 'empty');
    await expect(followReplica({ target, dataDir: empty })).rejects.toMatchObject(REFUSED);
    await expect(restoreReplica({ from: target, dataDir: empty })).rejects.toMatchObject(REFUSED);
    expect(await readdir(empty)).toEqual([]);
    const position = reached() - 1;
    await restoreReplica({ from: target, dataDir: empty, position });
    expect(await contentOf(empty)).toEqual(source.contentAt(position));
  });
});

test('REP-79 a log that ends with a later layout is not taken over', async () => {
  await (await follow()).close();
  await commit('two');
  await later['a slot of another format, with other members']();
  await expect(promoteReplica({ target, dataDir })).rejects.toMatchObject(REFUSED);
  await expect(examineReplica({ target, dataDir })).rejects.toMatchObject(REFUSED);
  expect(await readdir(dataDir)).toContain('standby.json');
});

describe.each(['format_version', 'stored_version'])(
  'REP-79 a base copy of another %s',
  (member) => {
    /** The manifest that a later version writes beside one that this version wrote. */
    async function laterCopy(): Promise<string> {
      await source.base();
      const [, name = ''] = await readdir(join(target, 'base'));
      const path = join(target, 'base', name, 'manifest.json');
      const manifest = JSON.parse(await readFile(path, 'utf8')) as object;
      await writeFile(path, JSON.stringify({ ...manifest, [member]: 2, more: [] }));
      return path;
    }

    test('is nothing to follow, restore or promote with', async () => {
      await laterCopy();
      await expect(follow()).rejects.toMatchObject(REFUSED);
      await expect(restoreReplica({ from: target, dataDir })).rejects.toMatchObject(REFUSED);
      expect(await readdir(dataDir)).toEqual([]);
    });

    test('stays where an earlier version writes, which serves, and says why it sends nothing', async () => {
      const path = await laterCopy();
      const text = await readFile(path, 'utf8');
      await primary.close();
      const keep = await openKeep({ dataDir: join(home, 'data'), replicateTo: target });
      await eventually(() => {
        expect(keep.replication()).toMatchObject({ state: 'away', lastError: REFUSED });
      });
      expect(await keep.isReady()).toBe(true);
      await keep.close();
      expect(await readFile(path, 'utf8')).toBe(text);
    });
  },
);

test.each(['standby.json', 'replica.json'])('REP-79 a directory with a later %s', async (name) => {
  await (await follow()).close();
  const path = join(dataDir, name);
  const format = name === 'standby.json' ? 'agentkeep-standby' : 'agentkeep-replica';
  const text = JSON.stringify({ format, format_version: 2 });
  await writeFile(path, text);
  const call = name === 'standby.json' ? follow() : promoteReplica({ target, dataDir });
  await expect(call).rejects.toMatchObject(REFUSED);
  expect(await readFile(path, 'utf8')).toBe(text);
});
