/**
 * Every proof holds at its short scale.
 * @module
 */
import { expect, test } from 'vitest';
import { proofs } from './proofs.js';
import { runProofs } from './run-proofs.js';

const MINUTE = 60_000;
const seed = Number(process.env['AGENTKEEP_PROOF_SEED'] ?? Date.now() % 1_000_000);

test.each(proofs)('$name: $claim', { timeout: 5 * MINUTE }, async (proof) => {
  const [outcome] = await runProofs([proof], { scale: 'short', seed, report: () => undefined });
  expect(outcome, `AGENTKEEP_PROOF_SEED=${seed} chooses the same again`).toMatchObject({
    finding: { violations: [] },
  });
});
