/** Random histories that draw pairs of capabilities from the matrix, and mix them with commands. */
import fc from 'fast-check';
import { type CapabilityName, type Pair, pairsBySteps } from './pair-matrix.js';

/** An action by name, and a number that chooses what it is done with. */
export type HistoryStep = readonly [action: string, pick: number];

/** Capabilities that are tried together, and what is done. */
export interface PairHistory {
  readonly of: readonly CapabilityName[];
  readonly steps: readonly HistoryStep[];
}

/** The names of the actions that histories consist of. */
export interface ActionNames {
  /** Those of all histories. */
  readonly ordinary: readonly string[];
  /** Those of a capability. One without any is only set up. */
  readonly of: (capability: CapabilityName) => readonly string[];
}

/** How many histories are played. */
export interface HistoryRuns {
  readonly seed: number;
  readonly numRuns: number;
  /** Pairs that are drawn; all that are tried by steps unless some are given. */
  readonly pairs?: readonly Pair[];
}

/** Capabilities that some pair tries by steps. */
export const triedCapabilities: readonly CapabilityName[] = [...new Set(pairsBySteps.flat())];

function histories(names: ActionNames, pairs: readonly Pair[]): fc.Arbitrary<PairHistory> {
  const third = fc.option(fc.constantFrom(...triedCapabilities));
  const drawn = fc
    .tuple(fc.constantFrom(...pairs), third)
    .map(([pair, other]) => [...new Set(other === null ? pair : [...pair, other])]);
  return drawn.chain((of) => {
    const own = of.flatMap(names.of);
    const ordinary = fc.constantFrom(...names.ordinary);
    const ofPair = { weight: 2, arbitrary: fc.constantFrom(...own) };
    const action = own.length === 0 ? ordinary : fc.oneof(ofPair, ordinary);
    const steps = fc.array(fc.tuple(action, fc.nat(99)), { minLength: 6, maxLength: 30 });
    return fc.record({ of: fc.constant(of), steps });
  });
}

/** Plays histories. The shortest one that fails is thrown, with the seed that repeats it. */
export async function playPairHistories(
  names: ActionNames,
  play: (history: PairHistory) => Promise<void>,
  { seed, numRuns, pairs = pairsBySteps }: HistoryRuns,
): Promise<void> {
  await fc.assert(fc.asyncProperty(histories(names, pairs), play), { seed, numRuns });
}
