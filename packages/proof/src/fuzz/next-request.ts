/**
 * Chooses the next request: which operation, which kind, what is wrong with it.
 * @module
 */
import type { Chooser } from './chooser.js';
import type { ContractOperation } from './contract-operations.js';
import { type FuzzRequest, wireOf } from './draft.js';
import { validDraft } from './valid-request.js';
import type { World } from './world.js';

/** How often operations are chosen, where once is not the measure. */
const WEIGHTS: Readonly<Record<string, number>> = {
  executeMemoryCommand: 4,
  authLogin: 2,
  issueCredential: 2,
  createUser: 2,
  // Each one copies the whole store and verifies the copy.
  createSnapshot: 0.004,
  getContract: 0.05,
};

/** Makes the next request at a time in Unix milliseconds. */
export function nextRequest(world: World, chooser: Chooser, nowMs: number): FuzzRequest {
  const operation = chooser.weighted(world.contract.operations, weightOf);
  const draft = validDraft(world, chooser, operation, nowMs);
  return { kind: 'valid', change: '', draft, wire: wireOf(draft) };
}

function weightOf({ id }: ContractOperation): number {
  return WEIGHTS[id] ?? 1;
}
