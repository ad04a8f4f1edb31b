/** How many branches that ended before their time the sweep leaves remembered. */
import { expect, test } from 'vitest';
import { inMemoryStore } from '../../../storage/in-memory-store/in-memory-store.js';
import { ManualClock } from '../../../testing.js';
import { ENDED_BRANCHES_MAX } from '../branch/branch-policy.js';
import { hasEnded, noteEnded } from '../branch/branch-store.js';
import { BranchSweeper } from './branch-sweeper.js';

/** More than one page, so that those that go are not neighbours. */
const TOO_MANY = 300;

const idOf = (number: number): string =>
  `00000000-0000-7000-8000-${number.toString(16).padStart(12, '0')}`;

test('XPT-22 of too many ended branches those that end first are forgotten', async () => {
  const store = inMemoryStore();
  const clock = new ManualClock();
  const count = ENDED_BRANCHES_MAX + TOO_MANY;
  // Their ids are in another order than their ends.
  const endOf = (number: number): number => clock.now() + 1 + ((number * 7_919) % count);
  await store.transact((tx) => {
    for (let number = 0; number < count; number += 1) {
      noteEnded(tx, 'acme', { id: idOf(number), endsAtMillis: endOf(number) });
    }
  });
  await new BranchSweeper({ store, clock }).sweep();
  const kept = await store.read((tx) =>
    Array.from({ length: count }, (_, number) => number).filter((number) =>
      hasEnded(tx, 'acme', idOf(number)),
    ),
  );
  expect(kept).toHaveLength(ENDED_BRANCHES_MAX);
  expect(Math.min(...kept.map(endOf))).toBe(clock.now() + 1 + TOO_MANY);
  await store.close();
});
