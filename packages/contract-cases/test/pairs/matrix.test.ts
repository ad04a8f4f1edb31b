/** Each pair of capabilities has a test or a reason, and each test that is named is there. */
import {
  capabilityNames,
  cellOf,
  everyPair,
  pairsBySteps,
  pairsWithTests,
} from '@agentkeep/testkit/pair-matrix';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { steps } from './capability-steps.js';

const root = join(import.meta.dirname, '../../../..');

test('every pair has a test, or a reason why there is none', () => {
  const count = capabilityNames.length;
  expect(everyPair()).toHaveLength((count * (count - 1)) / 2);
  const empty = everyPair().filter((pair) => {
    const { isTriedBySteps, tests, reason } = cellOf(pair);
    return !isTriedBySteps && tests.length === 0 && (reason ?? '').length < 40;
  });
  expect(empty).toEqual([]);
});

test('every test that the matrix names is there', () => {
  const missing = everyPair().flatMap((pair) =>
    cellOf(pair).tests.filter(
      ({ file, title }) => !readFileSync(join(root, file), 'utf8').includes(title),
    ),
  );
  expect(missing).toEqual([]);
  const pairs = everyPair().map((pair) => pair.join(' '));
  expect(pairsWithTests.filter((name) => !pairs.includes(name))).toEqual([]);
});

test('every capability that is tried by steps has some', () => {
  const tried = new Set(pairsBySteps.flat());
  expect([...tried].filter((name) => steps[name] === undefined)).toEqual([]);
});
