/**
 * Runs what depends on the store on each store: the cases of the contract, and what depends on the
 * order of commits. Where words name stores, everything of core and server that works on any store
 * runs on each of them, and their numbers are compared. A store is a name or module that
 * packages/testkit/src/test-store.ts accepts.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runVitest } from './vitest.mjs';

/** Their projects in vitest.workspace.ts. */
const PROJECTS = ['cases on lmdb', 'cases on postgres', 'cases on a speculative store'];
/** Files that open stores of the chosen kind. */
const FILES = ['packages/contract-cases/', 'packages/core/src/', 'packages/server/'];
const stores = process.argv.slice(2);
const directory = mkdtempSync(join(tmpdir(), 'agentkeep-test-stores-'));

/** Runs all tests on one store; returns their numbers. */
function runOn(store, index) {
  const outputFile = join(directory, `${index}.json`);
  const chosen = ['--project', 'tests', ...FILES];
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile=${outputFile}`];
  const vitest = ['vitest', 'run', '--config', 'vitest.workspace.ts', ...chosen, ...reporters];
  spawnSync('npx', vitest, {
    stdio: 'inherit',
    env: { ...process.env, AGENTKEEP_TEST_STORE: store },
  });
  const { numPassedTests: passed, numFailedTests: failed } = JSON.parse(
    readFileSync(outputFile, 'utf8'),
  );
  return { store, passed, failed };
}

/** Runs all tests on each of some stores; returns whether all passed, as many on each. */
function runOnEach(names) {
  const results = names.map(runOn);
  console.table(results);
  const isSame = new Set(results.map(({ passed }) => passed)).size === 1;
  if (!isSame) console.error('The stores did not pass the same number of tests.');
  return isSame && results.every(({ failed }) => failed === 0);
}

try {
  const isGood =
    stores.length > 0
      ? runOnEach(stores)
      : runVitest(PROJECTS.flatMap((project) => ['--project', project]));
  process.exitCode = isGood ? 0 : 1;
} finally {
  rmSync(directory, { recursive: true, force: true });
}
