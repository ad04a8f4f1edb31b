/** The tally of a store that several servers change is always correct, even if one is killed. */
import { useFakeTimers, useRealTimers } from '@agentkeep/testkit/fake-timers';
import { describe, expect, test, vi } from 'vitest';
import { eventually } from '@agentkeep/testkit/eventually';
import { CLOCK_SKEW_MAX_MS } from '../../contract/limits.js';
import { INSTALLATION } from '../../storage/store/key.js';
import { sharedMemory } from '../../storage/in-memory-store/in-memory-store.js';
import { speculative } from '../../storage/store-testing/speculative-store.js';
import { storeOver } from '../../storage/store-testing/store-over.js';
import type { Store, WriteTx } from '../../storage/store/store.js';
import { insertTenant } from '../../domains/tenancy/tenant/tenant-store.js';
import { ManualClock } from '../../testing/manual-clock.js';
import { type EntryTally, noteChange, sessionCounter } from '../../kernel/counts/counts.js';
import { openFollowed } from '../../../test/tally-kit.js';
import { openTally } from './get-stats.js';
import { SharedTally } from './shared-tally.js';
import { Tally } from './tally.js';
import { findState, slotSums, storedNumbers, tallySlots } from '../stored/tally-store.js';

const clock = new ManualClock(Date.UTC(2026, 0, 1));

const tenant = (tenantId: string) => (tx: WriteTx) => {
  insertTenant(tx, { tenantId, createdAtMillis: 0, initialAdminId: 'x', registered: null });
};

/** Returns a body that adds sessions with this end to the counts. */
const session = (endsAtMillis: number, by: number) => (tx: WriteTx) => {
  noteChange(tx, sessionCounter(endsAtMillis), by, Buffer.from('acme\0\x13'));
};

async function tenantsOf(tally: EntryTally): Promise<number> {
  return (await tally.entries()).tenants;
}

/** Returns a store with so many tenants and no tally. */
async function filled(tenants: number) {
  const memory = sharedMemory();
  const store = memory.open();
  for (let index = 0; index < tenants; index++) await store.transact(tenant(`t${String(index)}`));
  return { memory, store };
}

test('each server sees the changes of the others at once', async () => {
  const memory = sharedMemory();
  const [one, other] = await Promise.all([
    openFollowed(SharedTally, { store: memory.open(), clock }),
    openFollowed(SharedTally, { store: memory.open(), clock }),
  ]);
  await Promise.all([one.followed().transact(tenant('a')), other.followed().transact(tenant('b'))]);
  expect([await tenantsOf(one), await tenantsOf(other)]).toEqual([2, 2]);
  await Promise.all([one.close(), other.close()]);
});

test('two servers add the changes of one tenant to entries of their own', async () => {
  const memory = sharedMemory();
  const store = memory.open();
  const servers = await Promise.all(
    [0, 1].map((number) => {
      const entropy = { bytes: () => Uint8Array.of(number) };
      return openFollowed(SharedTally, { store: memory.open(), clock, entropy });
    }),
  );
  for (const one of servers) await one.followed().transact(tenant('a'));
  const slots = await store.read((tx) =>
    Array.from(tallySlots.rows(tx, INSTALLATION, { prefix: [] })),
  );
  expect(slots).toHaveLength(2);
  await Promise.all(servers.map((one) => one.close()));
});

test('the numbers are correct after a server is killed or closed', async () => {
  const memory = sharedMemory();
  const killed = await openFollowed(SharedTally, { store: memory.open(), clock });
  await killed.followed().transact(tenant('a'));
  const closed = await openFollowed(SharedTally, { store: memory.open(), clock });
  await closed.followed().transact(tenant('b'));
  await closed.close();
  const last = await openFollowed(SharedTally, { store: memory.open(), clock });
  expect(await tenantsOf(last)).toBe(2);
  await last.close();
});

test('a change with no net effect, or one that fails, writes nothing', async () => {
  const store = sharedMemory().open();
  const tally = await openFollowed(SharedTally, { store, clock });
  const { entries } = await store.stats();
  await tally.followed().transact((tx) => {
    session(clock.now() + 1_000, -1)(tx);
    session(clock.now() + 1_000, 1)(tx);
  });
  const failing = tally.followed().transact((tx) => {
    tenant('a')(tx);
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  expect((await store.stats()).entries).toBe(entries);
  expect(await tenantsOf(tally)).toBe(0);
  await tally.close();
});

test('discarded runs of a body count nothing', async () => {
  const store = speculative(sharedMemory().open());
  const tally = await openFollowed(SharedTally, { store, clock });
  for (const name of ['a', 'b', 'c']) await tally.followed().transact(tenant(name));
  expect(await tenantsOf(tally)).toBe(3);
  await tally.close();
});

describe('a store without a tally', () => {
  test('is counted by several servers, slice by slice, during changes', async () => {
    const { memory, store } = await filled(100);
    const open = () => openFollowed(SharedTally, { store: memory.open(), clock, sliceEntries: 20 });
    const [one, other] = await Promise.all([open(), open()]);
    expect(await store.read(findState)).toMatchObject({ end: expect.any(Uint8Array) as unknown });
    const changes = ['a', 'tz', 'z'].map((name, index) =>
      (index % 2 === 0 ? one : other).followed().transact(tenant(name)),
    );
    await Promise.all(changes);
    expect([await tenantsOf(one), await tenantsOf(other)]).toEqual([103, 103]);
    await Promise.all([one.close(), other.close()]);
    expect(await store.read(findState)).toEqual({ end: null });
  });

  test('continues to be counted by the next server when the first is killed', async () => {
    const { memory } = await filled(100);
    let isDead = false;
    const inner = memory.open();
    const mortal: Store = storeOver(inner, {
      transact: (body) => (isDead ? Promise.reject(new Error('dead')) : inner.transact(body)),
    });
    const first = await openFollowed(SharedTally, { store: mortal, clock, sliceEntries: 20 });
    isDead = true;
    await expect(first.entries()).rejects.toThrow('dead');
    const second = await openFollowed(SharedTally, {
      store: memory.open(),
      clock,
      sliceEntries: 20,
    });
    expect(await tenantsOf(second)).toBe(100);
    await Promise.all([first.close(), second.close()]);
  });

  test('fails requests with store_closed after it is closed', async () => {
    const { memory } = await filled(100);
    const tally = await openFollowed(SharedTally, {
      store: memory.open(),
      clock,
      sliceEntries: 20,
    });
    await tally.close();
    await expect(tally.entries()).rejects.toMatchObject({ code: 'store_closed' });
  });
});

test('sessions count until they end, and their numbers are removed later', async () => {
  const store = sharedMemory().open();
  const moving = new ManualClock(clock.now());
  const tally = await openFollowed(SharedTally, { store, clock: moving });
  const endsAt = moving.now() + 1_000;
  await tally.followed().transact(session(endsAt, 2));
  await tally.followed().transact(session(endsAt + 3_600_000, 1));
  expect((await tally.entries()).sessions).toBe(3);
  moving.advance(1_000);
  expect((await tally.entries()).sessions).toBe(1);
  await tally.sweep();
  expect(await store.read(storedNumbers)).toHaveLength(2);
  moving.advance(CLOCK_SKEW_MAX_MS);
  await tally.sweep();
  expect(await store.read(storedNumbers)).toEqual([[sessionCounter(endsAt + 3_600_000), 1]]);
  await tally.close();
});

test('an open tally sweeps every hour, and a closed one has no timer', async () => {
  useFakeTimers('setInterval', 'clearInterval');
  try {
    const store = sharedMemory().open();
    const moving = new ManualClock(clock.now());
    const tally = await openFollowed(SharedTally, { store, clock: moving });
    await tally.followed().transact(session(moving.now() + 1_000, 1));
    moving.advance(3_600_000);
    await vi.advanceTimersByTimeAsync(3_600_000);
    await eventually(async () => {
      expect(await store.read(storedNumbers)).toEqual([]);
    });
    await tally.close();
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    useRealTimers();
  }
});

test('each tenant adds to its own slot, and one transaction adds to one slot', async () => {
  const memory = sharedMemory();
  const tally = await openFollowed({ open: openTally }, { store: memory.open(), clock });
  const rows = async () => (await memory.open().stats()).entries;
  const before = await rows();
  const change = (name: string) =>
    tally.followed().transact((tx) => {
      noteChange(tx, 'audit_events', 1, Buffer.from(`\0\x09${name}\0`));
      noteChange(tx, 'receipts', 1, Buffer.from(`${name}\0\x08`));
    });
  await change('acme');
  await change('acme');
  expect(await rows()).toBe(before + 1);
  await change('umbrella');
  expect(await rows()).toBe(before + 2);
  expect(await memory.open().read(slotSums)).toEqual(
    new Map([
      ['tenants', 0],
      ['credentials', 0],
      ['accounts', 0],
      ['memory_records', 0],
      ['receipts', 3],
      ['audit_events', 3],
    ]),
  );
  await tally.close();
});

test('the numbers stay correct when a store moves to a single server and back', async () => {
  const memory = sharedMemory();
  const shared = await openFollowed(SharedTally, { store: memory.open(), clock });
  await shared.followed().transact(tenant('a'));
  await shared.close();
  const alone = await openFollowed(Tally, { store: memory.open(), clock });
  await alone.followed().transact(tenant('b'));
  expect(await tenantsOf(alone)).toBe(2);
  await alone.close();
  expect(await memory.open().read(storedNumbers)).toEqual([['tenants', 2]]);
  const again = await openFollowed(SharedTally, { store: memory.open(), clock });
  await again.followed().transact(tenant('c'));
  expect(await tenantsOf(again)).toBe(3);
  await again.close();
});
