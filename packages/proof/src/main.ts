/**
 * Runs the proofs and prints their table. Options: `--short`, `--only a,b`, `--seed n`. Exits with
 * 1 if a promise did not hold or a proof could not run.
 */
import { parseArgs } from 'node:util';
import { proofTable } from './proof-table.js';
import { proofs } from './proofs.js';
import { holds, runProofs } from './run-proofs.js';

const { values } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    only: { type: 'string' },
    seed: { type: 'string' },
  },
});
const only = values.only?.split(',');
const seed = Number(values.seed ?? Date.now() % 1_000_000);
const chosen = proofs.filter(({ name }) => only === undefined || only.includes(name));
const unknown = only?.filter((name) => !proofs.some((proof) => proof.name === name)) ?? [];
if (unknown.length > 0 || !Number.isSafeInteger(seed)) {
  const names = proofs.map(({ name }) => name).join(', ');
  console.error(`Unknown proof or seed. Proofs: ${names}. A seed is an integer.`);
  process.exit(2);
}

const isTerminal = process.stderr.isTTY;
const scale = values.short ? 'short' : 'full';
console.log(`Proofs at ${scale} scale; repeat with --seed ${seed}.`);
const outcomes = await runProofs(chosen, {
  scale,
  seed,
  report: (text) => {
    if (isTerminal) process.stderr.write(`\r\u001B[K${text}`);
    else console.error(text);
  },
});
if (isTerminal) process.stderr.write('\r\u001B[K');
console.log(proofTable(outcomes));
process.exitCode = outcomes.every(holds) ? 0 : 1;
