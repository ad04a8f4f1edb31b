/**
 * Ids ascend over restarts and kills, whatever the wall clock does.
 * @module
 */
import { expect, test } from 'vitest';
import { inMemoryStore } from '../in-memory-store/in-memory-store.js';
import { ManualClock } from '../testing/manual-clock.js';
import { durableIds } from './durable-ids.js';
import { systemEntropy } from './entropy.js';

const DAY_MS = 86_400_000;

test.each(['after a clean end', 'after a kill'])('ids go on ascending %s', async (end) => {
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
    // What is queued is committed before the process ends, as the ids that rest on it are.
    else await store.transact(() => undefined);
  }
  expect(ids).toEqual([...new Set(ids)].sort());
  await store.close();
});

test('a clean end leaves no gap in time, and an opening without ids writes nothing', async () => {
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
