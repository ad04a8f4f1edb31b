/**
 * Deletes webhooks in a copy of the checkout, and checks that the rest compiles and passes: files
 * that are named after them, and the lines of shared tables that `deletion/webhooks.ts` lists.
 *
 * The console, the proofs, the examples and the site show the product as a whole, so the copy has
 * none of them. Its tests are those of what webhooks touched: tables, pairs, erasure and quotas.
 */
import { buildSync } from 'esbuild';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CopiedCheckout } from './deletion/copied-checkout.js';
import { kept, LINES_MAX, ownLine, ownPath, shared } from './deletion/webhooks.js';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

const packages = [
  ...['core', 'client', 'testkit', 'contract-cases', 'server', 'postgres', 'mcp', 'meaning'],
];

const tests = [
  ...['packages/core/src/domains.test.ts', 'packages/core/test/stored-values'],
  ...['packages/core/src/domains/tenancy', 'packages/core/src/upkeep', 'packages/client'],
  ...['pairs', 'erasure', 'quotas', 'conventions', 'platform', 'order-of-checks'].map(
    (name) => `packages/contract-cases/test/${name}/`,
  ),
];

/**
 * Makes the only bundle of the copy: a restored snapshot, as in random histories, is checked by a
 * program of its own. Tests of other programs are left out.
 */
function bundleStoreChecker(absWorkingDir: string): boolean {
  const { errors } = buildSync({
    ...{ absWorkingDir, bundle: true, packages: 'external', format: 'esm', platform: 'node' },
    entryPoints: ['packages/core/src/keep/snapshot-check.ts'],
    outdir: 'packages/core/dist',
  });
  return errors.length === 0;
}

/** Parts of the chosen packages that need what the copy doesn't have. */
const wholeProduct = [
  ...['packages/server/test/browser/', 'packages/server/test/golden-stores/'],
  ...['scripts/site/', 'scripts/build-site.ts'],
];

const startsWithAny = (path: string, starts: readonly string[]): boolean =>
  starts.some((each) => path.startsWith(each));

const isLeftOut = (path: string): boolean =>
  startsWithAny(path, wholeProduct) || (ownPath.test(path) && !startsWithAny(path, kept));

function check(): boolean {
  using copy = new CopiedCheckout(root, { packages, isLeftOut });
  const lines = shared.reduce((sum, [, count]) => sum + count, 0);
  console.log(`Webhooks go with ${String(lines)} lines of ${String(shared.length)} shared files.`);
  if (lines > LINES_MAX) {
    console.error(`These are more than ${String(LINES_MAX)}: let webhooks state them themselves.`);
    return false;
  }
  const others = shared.filter(([path, count]) => copy.deleteLines(path, ownLine) !== count);
  if (others.length > 0) {
    const names = others.map(([path]) => path).join(', ');
    console.error(`Other numbers of lines name webhooks than scripts/deletion states: ${names}`);
    return false;
  }
  const source = ['--conditions=agentkeep-source', '--import', 'tsx'];
  return (
    copy.run('node_modules/typescript-native/bin/tsc', '-b', '.', '--checkers', '1') &&
    copy.run(...source, 'scripts/build-openapi.ts') &&
    bundleStoreChecker(copy.directory) &&
    copy.run(
      ...['node_modules/vitest/vitest.mjs', 'run', '--config', 'vitest.workspace.ts'],
      ...['--project', 'tests', ...tests],
    )
  );
}

process.exitCode = check() ? 0 : 1;
