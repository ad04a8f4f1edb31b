/** What the renewal of whole copies removes from a target, and how often it tries again. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { MemoryObjects, MemoryTarget } from '../../../../test/replica-kit.js';
import { ManualClock } from '../../../testing/manual-clock.js';
import { createBaseCopy } from './base-copy.js';
import { BaseCopies } from './base-renewal.js';
import { ReplicaLog } from '../log/replica-log.js';
import { slotName } from '../log/replica-slot.js';
import { NO_FRAME } from '../../../storage/frames/frame.js';
import { openFramedStore } from '../../../storage/lmdb-store/open-lmdb-store.js';

const DAY_MS = 86_400_000;

let home: string;
let clock: ManualClock;
let shared: MemoryObjects;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'agentkeep-renewal-'));
  for (const name of ['agentkeep.json', 'data.mdb']) await writeFile(join(home, name), name);
  clock = new ManualClock();
  shared = new MemoryObjects();
});

afterEach(() => rm(home, { recursive: true }));

const failed = (): Promise<never> => Promise.reject(new Error('the disk is full'));

const copiesOf = (generation = 1): Promise<BaseCopies> =>
  BaseCopies.open(
    {
      ...{ target: new MemoryTarget(shared), store: 'store', dataDir: home, clock },
      ...{ settings: { days: 7, copyHours: 24 }, backup: failed, check: failed },
    },
    generation,
  );

/** Copies that can be made; those of {@link copiesOf} fail. */
const working = (): Promise<BaseCopies> =>
  BaseCopies.open(
    {
      ...{ target: new MemoryTarget(shared), store: 'store', dataDir: home, clock },
      ...{ settings: { days: 7, copyHours: 24 }, check: () => Promise.resolve() },
      backup: async (into) => {
        const { store } = await openFramedStore({ directory: into, reserveBytes: 0 }, () => 1);
        await store.transact((tx) => tx.put(Buffer.of(1), Buffer.of(1)));
        await store.close();
      },
    },
    1,
  );

const made = (position: number, slot = 1): Promise<unknown> =>
  createBaseCopy(new MemoryTarget(shared), home, {
    ...{ store: 'store', generation: 1, slot, madeMs: clock.now() },
    last: { ...NO_FRAME, position },
  });

const namesBelow = (prefix: string): string[] =>
  [...shared.objects.keys()].filter((name) => name.startsWith(prefix)).sort();

// docs/contract/replication.md#rep-9
test('every slot before the oldest copy is removed, however many there are', async () => {
  for (let slot = 1; slot <= 2_500; slot += 1) shared.objects.set(slotName(slot), Buffer.of(1));
  await made(3_000, 2_400);
  await (await copiesOf()).removeOld();
  expect(namesBelow('log/')).toHaveLength(101);
  expect(namesBelow('log/')[0]).toBe(slotName(2_400));
});

test('REP-58 what a killed process left of a copy is removed a day after a later one', async () => {
  const left = 'base/00000001-0000000000000001';
  shared.objects.set(`${left}/data.mdb`, Buffer.from('data'));
  const copies = await copiesOf();
  await copies.removeOld();
  await made(2);
  clock.advance(DAY_MS - 1);
  await copies.removeOld();
  expect(namesBelow(left)).toHaveLength(1);
  clock.advance(1);
  await copies.removeOld();
  expect(namesBelow(left)).toEqual([]);
  expect(namesBelow('base/')).toHaveLength(3);
});

test('REP-58 an unfinished copy behind the newest one stays: its writer may live', async () => {
  await made(2);
  shared.objects.set('base/00000001-0000000000000003/data.mdb', Buffer.from('data'));
  clock.advance(3 * DAY_MS);
  await (await copiesOf()).removeOld();
  expect(namesBelow('base/00000001-0000000000000003')).toHaveLength(1);
});

test('REP-58 a copy that fails is tried again after a wait that doubles', async () => {
  const target = new MemoryTarget(shared);
  const log = await ReplicaLog.open({ target, store: 'store', directory: 'd' });
  await log.claim({ last: NO_FRAME, generation: 'next' });
  const copies = await copiesOf(2);
  const waits: number[] = [];
  for (let tries = 0; tries < 7; tries += 1) {
    await expect(copies.renew(log, () => Promise.resolve())).rejects.toThrow();
    waits.push(copies.retryMs / 1_000);
  }
  expect(waits).toEqual([30, 60, 120, 240, 480, 480, 480]);
});

// docs/contract/replication.md#rep-47
test('a copy that was damaged does not count: the next one is made, and it goes when it is old', async () => {
  const target = new MemoryTarget(shared);
  const log = await ReplicaLog.open({ target, store: 'store', directory: 'd' });
  await log.claim({ last: NO_FRAME, generation: 'next' });
  await made(0);
  const [damaged = ''] = namesBelow('base/').filter((name) => name.endsWith('manifest.json'));
  shared.objects.set(damaged, Buffer.from('{'));
  const copies = await working();
  expect(copies.isComplete).toBe(false);
  expect(await copies.renew(log, () => Promise.resolve())).toBe(true);
  expect(copies.isComplete).toBe(true);
  expect(shared.objects.has(damaged)).toBe(true);
  clock.advance(8 * DAY_MS);
  await copies.removeOld();
  expect(shared.objects.has(damaged)).toBe(false);
  expect(namesBelow('base/')).toHaveLength(3);
});

test('a copy that is damaged while it is the newest one is made again', async () => {
  const target = new MemoryTarget(shared);
  const log = await ReplicaLog.open({ target, store: 'store', directory: 'd' });
  await log.claim({ last: NO_FRAME, generation: 'next' });
  const copies = await working();
  expect(await copies.renew(log, () => Promise.resolve())).toBe(true);
  expect(await copies.renew(log, () => Promise.resolve())).toBe(false);
  const [manifest = ''] = namesBelow('base/').filter((name) => name.endsWith('manifest.json'));
  const bytes = shared.objects.get(manifest);
  shared.objects.set(manifest, Buffer.from('{'));
  expect(await copies.renew(log, () => Promise.resolve())).toBe(true);
  expect(shared.objects.get(manifest)?.length).toBe(bytes?.length);
});
