/**
 * Two tenants that use the same names everywhere cannot observe one another: the answers to one of
 * them, and their cost, are the same as without the other.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { observe } from '../../../../test/tenant-isolation/observations.js';
import { step, type Step } from '../../../../test/tenant-isolation/steps.js';

const RUNS_MIN = 200;
const STEPS_MAX = 60;

/** An environment variable can raise the number, but not lower it. */
const numRuns = Math.max(RUNS_MIN, Number(process.env['AGENTKEEP_PROPERTY_RUNS'] ?? 0));
const timeout = 300_000 + numRuns * 500;
const steps = fc.array(step, { maxLength: STEPS_MAX, size: 'max' });

/** Wrong passwords until the name is locked and beyond, which random steps may not reach. */
const guesses = (tenant: 0 | 1): Step[] =>
  Array.from({ length: 6 }, () => ({
    tenant,
    action: { type: 'logIn', name: 'ann', isRight: false },
  }));

test('a tenant gets the same answers as if it were alone', { timeout }, async () => {
  const codes = new Set<string>();
  await fc.assert(
    fc.asyncProperty(steps, async (history) => {
      const beside = await observe(history, { isAlone: false, isAudited: true });
      const alone = await observe(history, { isAlone: true, isAudited: true });
      expect(beside.answers).toEqual(alone.answers);
      for (const answer of alone.answers)
        codes.add(/^\{"code":"(\w+)"/.exec(answer)?.[1] ?? 'done');
    }),
    { numRuns, examples: [[guesses(0)], [guesses(1)]] },
  );
  // Without these outcomes, the histories would prove little.
  expect([...codes]).toEqual(
    expect.arrayContaining([
      ...['done', 'forbidden', 'record_not_found', 'revision_conflict', 'already_exists'],
      ...['invalid_login', 'account_locked', 'target_not_found'],
    ]),
  );
});

test('a tenant causes the same cost as if it were alone', { timeout }, async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (history) => {
      const beside = await observe(history, { isAlone: false, isAudited: false });
      const alone = await observe(history, { isAlone: true, isAudited: false });
      expect(beside.costs).toEqual(alone.costs);
    }),
    { numRuns },
  );
});
