/**
 * Steps without part in a failure are left out.
 */
import { expect, test } from 'vitest';
import { shrinkSteps } from './shrink-steps.js';

const steps = Array.from({ length: 100 }, (_, index) => index);

test('the needed steps stay in order', async () => {
  const fails = (some: readonly number[]) =>
    Promise.resolve([3, 50, 99].every((each) => some.includes(each)));
  expect(await shrinkSteps(steps, fails)).toEqual([3, 50, 99]);
});

test('a failure that needs no step leaves none', async () => {
  expect(await shrinkSteps(steps, () => Promise.resolve(true))).toEqual([]);
});
