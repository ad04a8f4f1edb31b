/**
 * Every proof holds at short scale.
 */
import { expect, test } from 'vitest';
import { proofs } from './proofs.js';
import { wherePossible } from '../test/where-possible.js';

const MINUTE = 60_000;
const seed = Number(process.env['AGENTKEEP_PROOF_SEED'] ?? Date.now() % 1_000_000);
const run = { scale: 'short', seed, report: () => undefined } as const;

test.for(proofs)('$name: $claim', { timeout: 5 * MINUTE }, async (proof, context) => {
  const { violations } = await wherePossible(context, () => proof.run(run));
  expect(violations, `repeat with AGENTKEEP_PROOF_SEED=${seed}`).toEqual([]);
});
