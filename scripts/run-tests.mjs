/**
 * Runs the tests: `npm test -- [--seed n] [words for vitest]`. The same seed chooses the same.
 */
import { runVitest, takeOption } from './vitest.mjs';

const words = process.argv.slice(2);
const seed = takeOption(words, 'seed');
if (!runVitest(words, seed)) {
  const used = seed ?? process.env.AGENTKEEP_TEST_SEED ?? 1;
  console.error(`Tests failed with --seed ${used}, which chooses the same again.`);
  process.exitCode = 1;
}
