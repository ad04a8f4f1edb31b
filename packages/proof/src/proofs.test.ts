/**
 * Every proof without measurements holds at short scale.
 */
import { expect, inject, test } from 'vitest';
import { proofs } from './proofs.js';
import { wherePossible } from '../test/where-possible.js';

const MINUTE = 60_000;
const run = { scale: 'short', seed: inject('seed'), report: () => undefined } as const;

/** Proofs that measure durations or memory depend on the load of the machine. */
const repeatable = proofs.filter(({ measures }) => measures !== true);

test.for(repeatable)('$name: $claim', { timeout: 15 * MINUTE }, async (proof, context) => {
  const { violations } = await wherePossible(context, () => proof.run(run));
  expect(violations).toEqual([]);
});
