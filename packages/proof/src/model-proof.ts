/**
 * Random histories of the whole core, in memory and on disk, with each answer compared to a model.
 */
import type { OperationName } from '@agentkeep/core';
import { isStatedByCases } from '@agentkeep/testkit/operations';
import {
  closingSteps,
  inStore,
  onDisk,
  type KeepStorage,
  playSteps,
  shrinkSteps,
  type Step,
  stepsOf,
  Tally,
} from '@agentkeep/testkit/player';
import type { Finding, ProofProgram, ProofRun, Scale } from './proof.js';

interface Size {
  readonly histories: number;
  readonly steps: number;
  /** One of this many histories is on disk. */
  readonly diskEvery: number;
  /** Whether every operation that histories play must succeed at least once. */
  readonly isComplete: boolean;
}

const sizes: Record<Scale, Size> = {
  short: { histories: 6, steps: 400, diskEvery: 5, isComplete: false },
  full: { histories: 60, steps: 1_500, diskEvery: 5, isComplete: true },
};

/**
 * An erased tenant would take the callers of all other steps with it. Histories see these refused
 * only.
 */
const ALWAYS_REFUSED: readonly OperationName[] = ['eraseTenant', 'getTenantErasure'];

const places = {
  memory: () => Promise.resolve<KeepStorage>(inStore()),
  disk: onDisk,
};

/** The whole core against a model. */
export const modelHistories: ProofProgram = {
  name: 'model histories',
  claim:
    'Every operation that histories play answers two tenants and the installation as the ' +
    'contract says, after any history and at any time.',
  run: (run) => runHistories(run, sizes[run.scale]),
};

async function runHistories(run: ProofRun, size: Size): Promise<Finding> {
  const { seed } = run;
  const tally = new Tally();
  const violations: string[] = [];
  for (let index = 0; index < size.histories; index += 1) {
    run.report(`history ${index + 1} of ${size.histories}`);
    const medium = index % size.diskEvery === 0 ? 'disk' : 'memory';
    const steps = [...stepsOf(seed + index, size.steps), ...closingSteps];
    const wrong = await playSteps(steps, await places[medium](), tally);
    if (wrong === undefined) continue;
    violations.push(await describe(`history ${index + 1} of seed ${seed}`, steps, medium));
    break;
  }
  const missing = tally.neverSuccessful.filter(
    (name) => !ALWAYS_REFUSED.includes(name) && !isStatedByCases(name),
  );
  if (violations.length === 0 && size.isComplete && missing.length > 0) {
    violations.push(`these operations never succeeded: ${missing.join(', ')}`);
  }
  return { done: { histories: size.histories, ...tally.done }, violations };
}

/** Describes a failure with the fewest steps that reproduce it. */
async function describe(
  name: string,
  steps: readonly Step[],
  medium: keyof typeof places,
): Promise<string> {
  const ignored = new Tally();
  const few = await shrinkSteps(steps, async (some) => {
    return (await playSteps(some, await places[medium](), ignored)) !== undefined;
  });
  const repeated = await playSteps(few, await places[medium](), ignored);
  const wrong = repeated ?? 'the failure did not repeat';
  const lines = few.map(({ rule, seed }, index) => `  ${index + 1}. ${rule} (${seed})`);
  return [`${name}, ${medium}: ${wrong}`, ...lines].join('\n');
}
