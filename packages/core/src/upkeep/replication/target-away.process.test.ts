/** A replication target that is away, slow or full: what waits has bounds, and is sent. */
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@agentkeep/testkit/eventually';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { MemoryObjects, MemoryTarget } from '../../../test/replica-kit.js';
import { freeBytes } from '../../storage/lmdb-store/directory.js';
import { ManualClock } from '../../testing/manual-clock.js';
import { listBaseCopies } from './copies/base-copy.js';
import type { ReplicatedStore } from './replicated-store.js';
import { openReplicated } from './replicate.js';
import { type ReplicationOptions, replicationSettings } from './replication-options.js';
import { targetUnavailable } from './targets/replica-target.js';

const MIB = 1_048_576;
const HOUR_MS = 3_600_000;

/** A target with so much room, in which each object takes so long. */
class BoundedTarget extends MemoryTarget {
  static roomBytes = Infinity;
  static beforeObject = (): Promise<void> => Promise.resolve();
  readonly #objects: MemoryObjects;

  constructor(objects: MemoryObjects) {
    super(objects);
    this.#objects = objects;
  }

  override async create(name: string, bytes: Uint8Array): Promise<boolean> {
    await BoundedTarget.beforeObject();
    const used = bytesIn(this.#objects);
    if (used + bytes.length <= BoundedTarget.roomBytes) return super.create(name, bytes);
    const cause = Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
    throw targetUnavailable(this.address, cause);
  }
}

/** Lets each object of targets wait until it is told to be done, up to the end. */
class SlowTarget {
  #waiting: (() => void)[] = [];

  constructor() {
    BoundedTarget.beforeObject = () => new Promise((resolve) => this.#waiting.push(resolve));
  }

  async finishObject(): Promise<void> {
    await eventually(() => expect(this.#waiting.length).toBeGreaterThan(0));
    for (const go of this.#waiting.splice(0)) go();
  }

  end(): void {
    BoundedTarget.beforeObject = () => Promise.resolve();
    for (const go of this.#waiting.splice(0)) go();
  }
}

function bytesIn({ objects }: MemoryObjects): number {
  return [...objects.values()].reduce((sum, { length }) => sum + length, 0);
}

let home: string;
let dataDir: string;
let clock: ManualClock;
let shared: MemoryObjects;
let store: ReplicatedStore | undefined;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'agentkeep-away-'));
  dataDir = join(home, 'data');
  clock = new ManualClock();
  shared = new MemoryObjects();
  BoundedTarget.roomBytes = Infinity;
});

afterEach(async () => {
  shared.onAccess = () => undefined;
  BoundedTarget.roomBytes = Infinity;
  BoundedTarget.beforeObject = () => Promise.resolve();
  await store?.close();
  await rm(home, { recursive: true, force: true });
});

async function replicated(
  options: Omit<ReplicationOptions, 'target'> = {},
  reserveBytes = 0,
): Promise<ReplicatedStore> {
  store = await openReplicated(
    { directory: dataDir, durability: 'relaxed', reserveBytes },
    replicationSettings({ lagMs: HOUR_MS, ...options, target: 'memory' }),
    {
      clock,
      openTarget: () => Promise.resolve(new BoundedTarget(shared)),
      // The entries of these tests are of no family, so they would not verify.
      check: () => Promise.resolve(),
    },
  );
  return store;
}

const put = (to: ReplicatedStore, key: string, value: Uint8Array): Promise<void> =>
  to.transact((tx) => {
    tx.put(Buffer.from(key), value);
  });

/** Sends until a store has sent all, and has a whole copy of its generation. */
async function settled(of: ReplicatedStore): Promise<void> {
  await eventually(async () => {
    await of.ship();
    expect(of.replication).toMatchObject({ state: 'shipping', lagFrames: 0 });
    const copies = await listBaseCopies(new MemoryTarget(shared));
    expect(copies.map(({ generation }) => generation)).toContain(of.replication.generation);
  });
}

const isAway = (): void => {
  throw new Error('away');
};

// docs/contract/replication.md#rep-7
test('REP-57 within an hour away what waits stays within its bound, and so does the disk', async () => {
  const of = await replicated({ waitingBytes: 2 * MIB });
  await settled(of);
  shared.onAccess = isAway;
  const objects = shared.objects.size;
  const sizes: number[] = [];
  for (let minute = 0; minute < 60; minute += 1) {
    await put(of, `k${String(minute % 5)}`, Buffer.alloc(300_000, minute));
    clock.advance(60_000);
    await of.ship();
    expect(of.replication.state).toBe('away');
    expect(of.replication.lagBytes).toBeLessThanOrEqual(2 * MIB);
    sizes.push((await stat(join(dataDir, 'data.mdb'))).size);
  }
  expect(of.replication).toMatchObject({
    lagFrames: 60,
    lastError: { code: 'replica_unavailable' },
  });
  expect(of.replication.lagMs).toBeGreaterThanOrEqual(HOUR_MS);
  // 18 MB were written: space that frames had is used again.
  expect(Math.max(...sizes)).toBeLessThan(10 * MIB);
  expect(shared.objects.size).toBe(objects);
  shared.onAccess = () => undefined;
  await settled(of);
  expect(of.replication).toMatchObject({ lagFrames: 0, lagMs: 0, generation: 2 });
});

test('REP-57 an hour away whose frames fit is sent whole, in the same generation', async () => {
  const of = await replicated();
  await settled(of);
  shared.onAccess = isAway;
  for (let minute = 0; minute < 60; minute += 1) {
    await put(of, `k${String(minute)}`, Buffer.alloc(1_000, minute));
    clock.advance(60_000);
  }
  await of.ship();
  expect(of.replication).toMatchObject({ state: 'away', lagFrames: 60 });
  shared.onAccess = () => undefined;
  await of.ship();
  expect(of.replication).toMatchObject({ state: 'shipping', lagFrames: 0, generation: 1 });
});

test('REP-57 what waits is dropped earlier where the disk is short, and writes go on', async () => {
  // Enough for writes, too little for frames besides.
  const of = await replicated({}, Math.floor(freeBytes(home) * 0.6));
  await settled(of);
  shared.onAccess = isAway;
  await put(of, 'k', Buffer.alloc(1));
  await of.ship();
  for (let at = 0; at < 30; at += 1) {
    await put(of, `k${String(at % 5)}`, Buffer.alloc(300_000, at));
    expect(of.replication.lagBytes).toBeLessThan(5 * MIB);
  }
  shared.onAccess = () => undefined;
  await settled(of);
  expect(of.replication.generation).toBe(2);
});

test('REP-57 beside a slow target writes go on, the lag is told, and it gets everything', async () => {
  const of = await replicated({ waitingBytes: 2 * MIB });
  await settled(of);
  const slow = new SlowTarget();
  for (let minute = 0; minute < 20; minute += 1) {
    await put(of, `k${String(minute % 5)}`, Buffer.alloc(300_000, minute));
    void of.ship();
    clock.advance(60_000);
    expect(of.replication).toMatchObject({ state: 'shipping', lastError: undefined });
    expect(of.replication.lagMs).toBeGreaterThanOrEqual(60_000);
    expect(of.replication.lagBytes).toBeLessThanOrEqual(2 * MIB);
    await slow.finishObject();
  }
  slow.end();
  await settled(of);
  expect(of.replication).toMatchObject({ lagFrames: 0, lagMs: 0, generation: 1 });
});

test('REP-57 what waits for a slow target is dropped too where the disk is short', async () => {
  const of = await replicated({ lagMs: 60_000 }, Math.floor(freeBytes(home) * 0.6));
  await settled(of);
  const slow = new SlowTarget();
  await put(of, 'k', Buffer.alloc(1));
  void of.ship();
  for (let at = 0; at < 30; at += 1) {
    clock.advance(60_000);
    await put(of, `k${String(at % 5)}`, Buffer.alloc(300_000, at));
    expect(of.replication.lagBytes).toBeLessThan(5 * MIB);
  }
  slow.end();
  await settled(of);
  expect(of.replication.generation).toBe(2);
});

test('REP-58 a full target is away, and goes on once copies are past their days', async () => {
  const of = await replicated({ days: 1, copyHours: 1 });
  await settled(of);
  for (let hour = 0; hour < 3; hour += 1) {
    clock.advance(HOUR_MS);
    await put(of, `k${String(hour)}`, Buffer.alloc(300_000, hour));
    await settled(of);
    await eventually(async () => {
      await of.ship();
      expect(of.replication.copyMs).toBe(clock.now());
    });
  }
  BoundedTarget.roomBytes = bytesIn(shared) + 100;
  await put(of, 'more', Buffer.from(Array.from({ length: 2_000 }, (_, at) => (at * 7_919) % 251)));
  await of.ship();
  expect(of.replication).toMatchObject({ state: 'away', lagFrames: 1 });
  expect(of.replication.lastError?.cause).toMatchObject({
    message: expect.stringContaining('ENOSPC'),
  });
  // The copies of the first hours are past their days now.
  clock.advance(24 * HOUR_MS);
  await eventually(async () => {
    await of.ship();
    expect(of.replication).toMatchObject({ lagFrames: 0 });
  });
});

// docs/contract/replication.md#rep-78
test('a target that was written to and is empty now is away, until it is there again', async () => {
  await settled(await replicated());
  await store?.close();
  const objects = [...shared.objects];
  shared.objects.clear();
  const again = await replicated();
  await put(again, 'while', Buffer.of(1));
  await again.ship();
  expect(again.replication).toMatchObject({
    state: 'away',
    lastError: {
      code: 'replica_unavailable',
      message: expect.stringContaining('which is empty now'),
    },
  });
  expect(again.replication.lagFrames).toBeGreaterThan(0);
  expect(shared.objects.size).toBe(0);
  for (const [name, bytes] of objects) shared.objects.set(name, bytes);
  await settled(again);
  expect(again.replication).toMatchObject({ lagFrames: 0, generation: 1 });
});
