/**
 * Random histories of the whole core, in memory and on disk, each answer compared with a model.
 * @module
 */
import {
  type Medium,
  playSteps,
  shrinkSteps,
  type Step,
  stepsOf,
  Tally,
} from '@agentkeep/testkit/player';
import type { Finding, Proof, ProofRun, Scale } from './proof.js';

interface Size {
  readonly histories: number;
  readonly steps: number;
  /** Every so many, one history is on disk. */
  readonly diskEvery: number;
  /** Whether every operation has to succeed at least once. */
  readonly isComplete: boolean;
}

const sizes: Record<Scale, Size> = {
  short: { histories: 10, steps: 400, diskEvery: 5, isComplete: false },
  full: { histories: 60, steps: 1_500, diskEvery: 5, isComplete: true },
};

/** The whole core against a model. */
export const modelHistories: Proof = {
  name: 'model histories',
  claim:
    'Two tenants and the installation are answered by every operation as the contract says, ' +
    'whatever came before and whatever the clock shows.',
  run: (run) => runHistories(run, sizes[run.scale]),
};

async function runHistories(run: ProofRun, size: Size): Promise<Finding> {
  const { seed } = run;
  const tally = new Tally();
  const violations: string[] = [];
  for (let index = 0; index < size.histories; index += 1) {
    run.report(`history ${index + 1} of ${size.histories}`);
    const medium = index % size.diskEvery === 0 ? 'disk' : 'memory';
    const steps = stepsOf(seed + index, size.steps);
    const wrong = await playSteps(steps, medium, tally);
    if (wrong === undefined) continue;
    violations.push(await told(`history ${index + 1} of seed ${seed}`, steps, medium));
    break;
  }
  const missing = tally.neverGood;
  if (violations.length === 0 && size.isComplete && missing.length > 0) {
    violations.push(`these operations never succeeded: ${missing.join(', ')}`);
  }
  return { done: { histories: size.histories, ...tally.done }, violations };
}

/** What went wrong, with the fewest steps that lead there. */
async function told(name: string, steps: readonly Step[], medium: Medium): Promise<string> {
  const untold = new Tally();
  const few = await shrinkSteps(steps, async (some) => {
    return (await playSteps(some, medium, untold)) !== undefined;
  });
  const wrong = (await playSteps(few, medium, untold)) ?? 'it went wrong only once';
  const lines = few.map(({ rule, seed }, index) => `  ${index + 1}. ${rule} (${seed})`);
  return [`${name}, ${medium}: ${wrong}`, ...lines].join('\n');
}
