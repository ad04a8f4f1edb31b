/**
 * Runs vitest with a seed, and says which one.
 */
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the workspace. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)));

const program = join(root, 'node_modules/vitest/vitest.mjs');

/**
 * Runs tests; without a seed, with the one of the configuration, and without a part, those that
 * play `long` and those that play `short`. Returns whether all passed.
 */
export function runVitest(args, { seed, part } = {}) {
  const env = { ...process.env };
  if (seed !== undefined) env.AGENTKEEP_TEST_SEED = seed;
  if (part !== undefined) env.AGENTKEEP_TESTS = part;
  const words = [program, 'run', '--config', 'vitest.workspace.ts', ...args];
  return spawnSync(process.execPath, words, { cwd: root, env, stdio: 'inherit' }).status === 0;
}

/** Takes `--name value` out of words; returns the value, if there is one. */
export function takeOption(words, name) {
  const at = words.findIndex((word) => word === `--${name}` || word.startsWith(`--${name}=`));
  if (at === -1) return undefined;
  const [word] = words.splice(at, 1);
  const value = word.includes('=') ? word.slice(word.indexOf('=') + 1) : words.splice(at, 1)[0];
  if (/^\d{1,9}$/.test(value ?? '')) return value;
  console.error(`--${name} takes a whole number, as in --${name} 7.`);
  process.exit(2);
}
