/** Bounded concurrency: order, bound and failure. */
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { forEachInFlight } from '../src/for-each-in-flight.js';

test('runs every item once, in order, and never more than the bound at a time', async () => {
  const started: number[] = [];
  let running = 0;
  let mostRunning = 0;
  await forEachInFlight([5, 6, 7, 8, 9], 2, async (item, index) => {
    started.push(item);
    expect(item).toBe(index + 5);
    running += 1;
    mostRunning = Math.max(mostRunning, running);
    await setImmediate();
    running -= 1;
  });
  expect(started).toEqual([5, 6, 7, 8, 9]);
  expect(mostRunning).toBe(2);
});

test('starts no task after a failure and waits for the running ones', async () => {
  const ended: number[] = [];
  const work = forEachInFlight([1, 2, 3, 4], 2, async (item) => {
    if (item === 1) throw new Error('no');
    await setImmediate();
    ended.push(item);
  });
  await expect(work).rejects.toThrow('no');
  expect(ended).toEqual([2]);
});
