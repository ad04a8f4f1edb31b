/** Requests of one turn start together, and a request that is alone does not wait. */
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { SharedTurns } from './shared-turns.js';

test('requests of a turn start in their order, after all of them have come', async () => {
  const turns = new SharedTurns();
  for (let turn = 0; turn < 3; turn += 1) {
    const seen: string[] = [];
    const started = ['a', 'b', 'c'].map(async (name) => {
      seen.push(`read ${name}`);
      await turns.join();
      seen.push(`start ${name}`);
    });
    await Promise.all(started);
    expect(seen).toEqual(['read a', 'read b', 'read c', 'start a', 'start b', 'start c']);
  }
});

test('after a request that was alone, the next start at once, but for each sixteenth', async () => {
  const turns = new SharedTurns();
  const waited: boolean[] = [];
  for (let request = 0; request < 32; request += 1) {
    waited.push(turns.join() !== undefined);
    await setImmediate();
  }
  expect(waited.flatMap((waits, request) => (waits ? [request] : []))).toEqual([0, 16]);
});

test('when many come again, they share turns again', async () => {
  const turns = new SharedTurns();
  await turns.join();
  const waits = Array.from({ length: 64 }, () => turns.join() !== undefined);
  expect(waits.filter((wait) => !wait)).toHaveLength(15);
  await setImmediate();
  expect(turns.join()).toBeInstanceOf(Promise);
});
