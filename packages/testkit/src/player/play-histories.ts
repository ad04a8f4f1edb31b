/**
 * Plays random histories one after the other, and expects the answers of the model to each.
 */
import fc from 'fast-check';
import { expect } from 'vitest';
import type { KeepStorage } from './keep-storage.js';
import { closingSteps, playSteps } from './play-steps.js';
import { memoryRules } from './rules.js';
import { Tally } from './tally.js';

const STEPS_MAX = 120;

const rule = fc.oneof(
  ...memoryRules.map(({ name, weight }) => ({
    weight: Math.round(weight * 10),
    arbitrary: fc.constant(name),
  })),
);
const step = fc.record({ rule, seed: fc.nat({ max: 0xffff_ffff }) });
const steps = fc.array(step, { maxLength: STEPS_MAX, size: 'max' });

/** Plays that many histories, each in a new place, and returns what they met. */
export async function playHistories(
  numRuns: number,
  newPlace: () => Promise<KeepStorage> | KeepStorage,
): Promise<Tally> {
  const tally = new Tally();
  await fc.assert(
    fc.asyncProperty(steps, async (some) => {
      const wrong = await playSteps([...some, ...closingSteps], await newPlace(), tally);
      expect(wrong).toBeUndefined();
    }),
    { numRuns },
  );
  return tally;
}
