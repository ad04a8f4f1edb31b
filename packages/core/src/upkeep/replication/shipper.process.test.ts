/** What reaches a replication target while a store is used, and what happens while it is away. */
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { eventually } from '@agentkeep/testkit/eventually';
import { useFakeTimers, useRealTimers } from '@agentkeep/testkit/fake-timers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { MemoryObjects, MemoryTarget } from '../../../test/replica-kit.js';
import { openLmdbStore } from '../../storage/lmdb-store/open-lmdb-store.js';
import { keyText } from '../../storage/store/bytes.js';
import { decodeFrame } from '../../storage/frames/frame.js';
import type { Store } from '../../storage/store/store.js';
import { ManualClock } from '../../testing/manual-clock.js';
import { listBaseCopies } from './copies/base-copy.js';
import { framesOf } from './log/replica-slot.js';
import type { ReplicatedStore } from './replicated-store.js';
import { openReplicated } from './replicate.js';
import { replicationSettings, type ReplicationOptions } from './replication-options.js';
import { slotsAfter } from './log/verify-slots.js';

const DAY_MS = 86_400_000;

let home: string;
let dataDir: string;
let clock: ManualClock;
let shared: MemoryObjects;
const open: Store[] = [];

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'agentkeep-shipper-'));
  dataDir = join(home, 'data');
  clock = new ManualClock();
  shared = new MemoryObjects();
});

afterEach(async () => {
  shared.onAccess = () => undefined;
  for (const store of open.splice(0)) await store.close();
  await rm(home, { recursive: true, force: true });
});

type Options = Omit<ReplicationOptions, 'target'>;

async function replicated(options: Options = {}, directory = dataDir): Promise<ReplicatedStore> {
  const store = await openReplicated(
    { directory, durability: 'relaxed', reserveBytes: 0 },
    replicationSettings({ lagMs: 3_600_000, ...options, target: 'memory' }),
    {
      clock,
      openTarget: () => Promise.resolve(new MemoryTarget(shared)),
      // The entries of these tests are of no family, so they would not verify.
      check: () => Promise.resolve(),
    },
  );
  open.push(store);
  return store;
}

async function closed(store: Store): Promise<void> {
  open.splice(open.indexOf(store), 1);
  await store.close();
}

const isAway = (): void => {
  throw new Error('away');
};

const put = (store: Store, key: string, value: string | Uint8Array): Promise<void> =>
  store.transact((tx) => {
    tx.put(Buffer.from(key), Buffer.from(value));
  });

/** Waits until a store has a whole copy of its generation, and has sent all. */
async function settled(store: ReplicatedStore): Promise<void> {
  await eventually(async () => {
    await store.ship();
    expect(store.replication).toMatchObject({ state: 'shipping', lagFrames: 0 });
    expect(await generations()).toContain(store.replication.generation);
  });
}

const slotCount = (): number =>
  [...shared.objects.keys()].filter((name) => name.startsWith('log/')).length;

const generations = async (): Promise<number[]> =>
  (await listBaseCopies(new MemoryTarget(shared))).map(({ generation }) => generation);

/** Returns what all frames of the target leave behind, as after a restore without a copy. */
async function contentOfLog(): Promise<Map<string, string>> {
  const [first] = shared.objects.keys();
  if (first === undefined) return new Map();
  const content = new Map<string, string>();
  const target = new MemoryTarget(shared);
  for await (const slot of slotsAfter(target, 0, await storeId())) {
    for (const frame of await framesOf(slot)) {
      for (const [key, value] of decodeFrame(frame).writes) {
        if (value === undefined) content.delete(key);
        else content.set(key, keyText(value));
      }
    }
  }
  return new Map([...content].sort());
}

async function storeId(): Promise<string> {
  const [copy] = await listBaseCopies(new MemoryTarget(shared));
  if (copy === undefined) throw new Error('There is no copy.');
  return copy.store;
}

async function contentOf(store: Store): Promise<Map<string, string>> {
  const content = new Map<string, string>();
  await store.scan(({ key, value }) => content.set(keyText(key), keyText(value)));
  return content;
}

describe('a replicated store', () => {
  // docs/contract/replication.md#rep-12
  test('sends every commit, and a whole copy', async () => {
    const store = await replicated();
    await Promise.all(Array.from({ length: 40 }, (_, at) => put(store, `k${String(at)}`, 'v')));
    await settled(store);
    await put(store, 'late', 'v');
    expect(store.replication.lagFrames).toBe(1);
    clock.advance(700);
    expect(store.replication).toMatchObject({ lagMs: 700, lastError: undefined });
    await store.ship();
    expect(await contentOfLog()).toEqual(await contentOf(store));
    expect(store.replication).toMatchObject({ lagFrames: 0, lagBytes: 0, lagMs: 0, epoch: 1 });
    // The copy is in the target before its folder is removed.
    await eventually(async () => {
      const names = await readdir(dataDir);
      expect(names.filter((name) => name.startsWith('.'))).toEqual([]);
    });
  });

  // docs/contract/replication.md#rep-5
  test('sends by itself within the lag', async () => {
    const store = await replicated({ lagMs: 1_000 });
    await settled(store);
    useFakeTimers('setTimeout', 'clearTimeout');
    try {
      await put(store, 'k', 'v');
      expect(store.replication.lagFrames).toBe(1);
      vi.advanceTimersByTime(1_000);
      while (store.replication.lagFrames > 0) await setImmediate();
    } finally {
      useRealTimers();
    }
  });

  test('REP-5 sends what is committed while a segment is sent with the next one', async () => {
    const store = await replicated({ lagMs: 1_000 });
    await settled(store);
    const before = slotCount();
    useFakeTimers('setTimeout', 'clearTimeout');
    try {
      await put(store, 'first', 'v');
      let turns = 0;
      let send: (value?: unknown) => void = () => undefined;
      const sent = new Promise((resolve) => (send = resolve));
      shared.turn = () => {
        turns += 1;
        return sent;
      };
      vi.advanceTimersByTime(500);
      while (turns === 0) await setImmediate();
      await put(store, 'second', 'v');
      send();
      while (store.replication.lagFrames > 1) await setImmediate();
      // Longer than the next segment would take.
      for (let hops = 0; hops < 20; hops += 1) await readdir(dataDir);
      await put(store, 'third', 'v');
      expect(slotCount()).toBe(before + 1);
      vi.advanceTimersByTime(500);
      while (store.replication.lagFrames > 0) await setImmediate();
      expect(slotCount()).toBe(before + 2);
    } finally {
      useRealTimers();
    }
  });

  test('REP-9 makes a whole copy while commits go on that wait longer than it does', async () => {
    const store = await replicated();
    await put(store, 'first', 'v');
    shared.onAccess = (name, after) => {
      if (after && name.startsWith('log/')) void put(store, 'later', 'v');
    };
    await eventually(async () => {
      expect(await generations()).toEqual([1]);
    });
    expect(store.replication.lagFrames).toBeGreaterThan(0);
  });

  test('sends the rest at its close, and continues after it', async () => {
    const first = await replicated();
    await settled(first);
    await put(first, 'a', '1');
    await closed(first);
    const store = await replicated();
    await put(store, 'b', '2');
    await store.ship();
    expect(await contentOfLog()).toEqual(await contentOf(store));
    expect(store.replication).toMatchObject({ epoch: 1, generation: 1 });
  });

  // docs/contract/replication.md#rep-7
  test('goes on while the target is away, and catches up', async () => {
    const store = await replicated();
    await settled(store);
    shared.onAccess = isAway;
    for (let at = 0; at < 5; at += 1) await put(store, `k${String(at)}`, 'v');
    await store.ship();
    clock.advance(3_600_000);
    expect(store.replication).toMatchObject({ state: 'away', lagFrames: 5, lagMs: 3_600_000 });
    expect(store.replication.lastError).toMatchObject({ code: 'replica_unavailable' });
    shared.onAccess = () => undefined;
    await store.ship();
    expect(store.replication).toMatchObject({ state: 'shipping', lagFrames: 0, generation: 1 });
    expect(await contentOfLog()).toEqual(await contentOf(store));
  });

  test('opens while the target is away', async () => {
    shared.onAccess = isAway;
    const store = await replicated();
    await put(store, 'k', 'v');
    expect(store.replication).toMatchObject({ state: 'away', lagFrames: 1 });
    shared.onAccess = () => undefined;
    await settled(store);
  });

  test('repeats an append whose answer was lost', async () => {
    const store = await replicated();
    await settled(store);
    await put(store, 'k', '1');
    shared.onAccess = (name, after) => {
      if (after && name.startsWith('log/')) throw new Error('lost');
    };
    await store.ship();
    expect(store.replication.state).toBe('away');
    shared.onAccess = () => undefined;
    await put(store, 'k', '2');
    await store.ship();
    expect(store.replication).toMatchObject({ state: 'shipping', lagFrames: 0, epoch: 1 });
    expect(await contentOfLog()).toEqual(await contentOf(store));
  });

  test('drops frames beyond the bound, and begins a generation once the target is back', async () => {
    const store = await replicated({ waitingBytes: 2 ** 20 });
    await settled(store);
    shared.onAccess = isAway;
    for (let at = 0; at < 30; at += 1) {
      await put(store, `k${String(at % 3)}`, Buffer.alloc(100_000, at));
      expect(store.replication.lagBytes).toBeLessThanOrEqual(2 ** 20);
    }
    shared.onAccess = () => undefined;
    await settled(store);
    expect(await generations()).toEqual([1, 2]);
    expect(store.replication).toMatchObject({ generation: 2, lagFrames: 0 });
    await put(store, 'k', 'v');
    await closed(store);
    const again = await replicated();
    expect(again.replication).toMatchObject({ generation: 2, lagFrames: 0 });
  });

  // docs/contract/replication.md#rep-8
  test('begins a generation after it was open without replication', async () => {
    const first = await replicated();
    await settled(first);
    await closed(first);
    const plain = await openLmdbStore({ directory: dataDir, durability: 'relaxed' });
    await put(plain, 'unseen', 'v');
    await plain.close();
    const store = await replicated();
    await settled(store);
    expect(store.replication.generation).toBe(2);
    await closed(store);
    const again = await replicated();
    await again.ship();
    expect(again.replication).toMatchObject({ generation: 2, lagFrames: 0 });
  });

  // docs/contract/replication.md#rep-9
  test('removes copies and slots that no moment of the stated days needs', async () => {
    const store = await replicated({ days: 2, copyHours: 1 });
    await settled(store);
    for (let day = 0; day < 4; day += 1) {
      clock.advance(DAY_MS);
      await put(store, 'k', String(day));
      await eventually(async () => {
        await store.ship();
        expect(store.replication.copyMs).toBe(clock.now());
      });
      await settled(store);
    }
    const copies = await listBaseCopies(new MemoryTarget(shared));
    const ages = copies.map(({ madeMs }) => (clock.now() - madeMs) / DAY_MS);
    expect(ages).toEqual([2, 1, 0]);
    const [slot] = [...shared.objects.keys()].filter((name) => name.startsWith('log/')).sort();
    expect(Number(slot?.slice(4))).toBe(copies[0]?.slot);
  });
});

describe('a copy of a replicated directory', () => {
  test('is refused once the first one has gone on', async () => {
    const first = await replicated();
    await put(first, 'k', '1');
    await settled(first);
    await closed(first);
    const copy = join(home, 'copy');
    await cp(dataDir, copy, { recursive: true });
    const store = await replicated();
    await put(store, 'k', '2');
    await store.ship();
    await expect(replicated({}, copy)).rejects.toMatchObject({ code: 'replica_fenced' });
  });

  // docs/contract/replication.md#rep-10
  test('is fenced while it runs, and stays so', async () => {
    const first = await replicated();
    await settled(first);
    await put(first, 'k', '1');
    await closed(first);
    const copy = join(home, 'copy');
    await cp(dataDir, copy, { recursive: true });
    const store = await replicated();
    const rival = await replicated({}, copy);
    await put(store, 'k', '2');
    await store.ship();
    await put(rival, 'k', '3');
    await rival.ship();
    expect(rival.replication).toMatchObject({ state: 'fenced' });
    await put(store, 'k', '4');
    await store.ship();
    expect(store.replication).toMatchObject({ state: 'shipping', lagFrames: 0 });
    expect(await contentOfLog()).toEqual(await contentOf(store));
  });
});

describe('the delivery of commits, with acknowledged', () => {
  const putDelivered = async (store: ReplicatedStore, key: string, value: string) => {
    await put(store, key, value);
    await store.delivered();
  };

  test('ends once the target has them', async () => {
    const store = await replicated({ mode: 'acknowledged' });
    await Promise.all(
      Array.from({ length: 60 }, async (_, at) => {
        const key = `k${String(at)}`;
        await putDelivered(store, key, 'v');
        expect((await contentOfLog()).has(key)).toBe(true);
      }),
    );
    expect(store.replication.lagFrames).toBe(0);
  });

  test('fails while the target is away, where they are stored, and sent later', async () => {
    const store = await replicated({ mode: 'acknowledged', acknowledgeMs: 100 });
    await settled(store);
    shared.onAccess = isAway;
    const failure = { code: 'replica_unavailable' };
    await expect(putDelivered(store, 'k', '1')).rejects.toMatchObject(failure);
    clock.advance(101);
    await expect(putDelivered(store, 'k', '2')).rejects.toMatchObject(failure);
    expect((await contentOf(store)).get('k')).toBe('2');
    shared.onAccess = () => undefined;
    await store.ship();
    expect(await contentOfLog()).toEqual(await contentOf(store));
    // A busy machine may take longer than 100 ms to send it.
    await eventually(() => putDelivered(store, 'k', '3'));
    expect((await contentOfLog()).get('k')).toBe('3');
  });

  test('fails at once after the close where the target lacks them', async () => {
    const store = await replicated({ mode: 'acknowledged' });
    await settled(store);
    shared.onAccess = isAway;
    await put(store, 'k', '1');
    await store.ship();
    await store.close();
    await expect(store.delivered()).rejects.toMatchObject({ code: 'replica_unavailable' });
  });
});
