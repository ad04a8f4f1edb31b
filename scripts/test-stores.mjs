/**
 * Runs the tests that work with any store on each store, and compares their numbers. A store is a
 * name or module that packages/testkit/src/test-store.ts accepts; the default is all stores.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ALL = ['memory', 'lmdb', 'speculative', 'packages/postgres/test/test-database.ts'];
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

try {
  const names = stores.length > 0 ? stores : ALL;
  const results = names.map(runOn);
  console.table(results);
  const isSame = new Set(results.map(({ passed }) => passed)).size === 1;
  const isGood = results.every(({ failed }) => failed === 0);
  if (!isSame) console.error('The stores did not pass the same number of tests.');
  process.exitCode = isSame && isGood ? 0 : 1;
} finally {
  rmSync(directory, { recursive: true, force: true });
}
