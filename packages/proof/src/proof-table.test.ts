/**
 * The table shows what was done and every violation.
 */
import { expect, test } from 'vitest';
import { proofTable } from './proof-table.js';
import { CannotRunHereError, type ProofProgram } from './proof.js';
import { holds, runProofs } from './run-proofs.js';

const run = { scale: 'short', seed: 1, report: () => undefined } as const;

function proofThat(name: string, outcome: ProofProgram['run']): ProofProgram {
  return { name, claim: 'It holds.', run: outcome };
}

const good = proofThat('good', async () => ({ done: { 'crash points': 1_300 }, violations: [] }));
const bad = proofThat('bad', async () => ({ done: { kills: 2 }, violations: ['One was lost.'] }));
const absent = proofThat('absent', async () => {
  throw new CannotRunHereError('There is no C compiler; install gcc.');
});
const broken = proofThat('broken', async () => {
  throw new Error('No such thing.');
});

test('the table has a row for every proof, followed by the violations', async () => {
  const outcomes = await runProofs([good, bad], run);
  const lines = proofTable(outcomes).split('\n');
  expect(lines[0]).toMatch(/^Proof +Done +Violations +Seconds$/);
  expect(lines[2]).toMatch(/^good +1,300 crash points +0 +\d+\.\d$/);
  expect(lines[3]).toMatch(/^bad +2 kills +1 /);
  expect(lines[5]).toMatch(/^All +2 of 2 proofs +1 /);
  expect(lines.at(-1)).toBe('bad: One was lost.');
  expect(outcomes.map(holds)).toEqual([true, false]);
});

test('a proof that could not run, or failed, does not hold', async () => {
  const outcomes = await runProofs([absent, broken], run);
  const table = proofTable(outcomes);
  expect(table).toContain('absent: Not run here: There is no C compiler; install gcc.');
  expect(table).toContain('broken: Failed: Error: No such thing.');
  expect(table).toMatch(/^All +0 of 2 proofs/m);
  expect(outcomes.some(holds)).toBe(false);
});
