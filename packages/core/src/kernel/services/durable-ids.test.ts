/** Ids ascend across restarts and kills, whatever the wall clock does. */
import { describe, expect, test } from 'vitest';
import { inMemoryStore, sharedMemory } from '../../storage/in-memory-store/in-memory-store.js';
import { ManualClock } from '../../testing/manual-clock.js';
import { durableIds } from '../ports/ids.js';
import { systemEntropy } from '../ports/entropy.js';

const DAY_MS = 86_400_000;

test.each(['after a clean end', 'after a kill'])('ids keep ascending %s', async (end) => {
  const store = inMemoryStore();
  const clock = new ManualClock(10 * DAY_MS);
  const ids: string[] = [];
  for (const stepMs of [0, -DAY_MS, 5, 3 * DAY_MS, -2 * DAY_MS]) {
    clock.stepTo(clock.now() + stepMs);
    const opened = await durableIds(store, clock, systemEntropy);
    for (let count = 0; count < 5_000; count++) ids.push(opened.newId());
    clock.advance(7);
    ids.push(opened.newId());
    if (end === 'after a clean end') await opened.settleIds();
    // Queued writes commit before the process ends, as do the ids that depend on them.
    else await store.transact(() => undefined);
  }
  expect(ids).toEqual([...new Set(ids)].sort());
  await store.close();
});

test('a clean shutdown leaves no gap, and an opening without ids writes nothing', async () => {
  const store = inMemoryStore();
  const clock = new ManualClock(DAY_MS);
  const first = await durableIds(store, clock, systemEntropy);
  first.newId();
  await first.settleIds();
  const { entries } = await store.stats();
  const idle = await durableIds(store, clock, systemEntropy);
  await idle.settleIds();
  clock.advance(1);
  const second = await durableIds(store, clock, systemEntropy);
  expect(timeOf(second.newId())).toBe(DAY_MS + 1);
  expect((await store.stats()).entries).toBe(entries);
  await store.close();
});

function timeOf(id: string): number {
  return Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);
}

describe('over a store that several servers have open', () => {
  test('the stored time is never lowered, by a slower clock or by a clean shutdown', async () => {
    const memory = sharedMemory();
    const clocks = [new ManualClock(DAY_MS), new ManualClock(DAY_MS - 5_000)];
    const opened = await Promise.all(
      clocks.map((clock) => durableIds(memory.open(), clock, systemEntropy)),
    );
    const ids = opened.map(({ newId }) => newId());
    for (const each of opened) await each.settleIds();
    const again = new ManualClock(0);
    const next = (await durableIds(memory.open(), again, systemEntropy)).newId();
    expect([...ids, next].sort().at(-1)).toBe(next);
    expect(timeOf(next)).toBeGreaterThanOrEqual(DAY_MS);
  });

  test('ids of all servers are unique, and as ordered as their clocks', async () => {
    const memory = sharedMemory();
    const clock = new ManualClock(DAY_MS);
    const makers = await Promise.all(
      [0, 1, 2].map(() => durableIds(memory.open(), clock, systemEntropy)),
    );
    const rounds = Array.from({ length: 200 }, () => {
      clock.advance(1);
      return makers.map(({ newId }) => newId());
    });
    const ids = rounds.flat();
    expect(new Set(ids).size).toBe(600);
    const times = ids.map(timeOf);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
  });
});
