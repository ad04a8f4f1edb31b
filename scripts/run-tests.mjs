/**
 * Runs the tests that play fast, `npm test -- [--seed n] [words for vitest]`, or with `--full` those
 * that play long. Where words name files, all of these run. The same seed chooses the same.
 */
import { runVitest, takeOption } from './vitest.mjs';

const words = process.argv.slice(2);
const seed = takeOption(words, 'seed');
const isFull = words[0] === '--full';
if (isFull) words.shift();
const namesFiles = words.some((word) => !word.startsWith('-'));
const part = isFull ? 'long' : namesFiles ? undefined : 'short';
if (!runVitest(words, { seed, part })) {
  const used = seed ?? process.env.AGENTKEEP_TEST_SEED ?? 1;
  console.error(`Tests failed with --seed ${used}, which chooses the same again.`);
  process.exitCode = 1;
}
