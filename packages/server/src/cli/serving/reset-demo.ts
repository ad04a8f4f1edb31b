/** Removes the data of an earlier `agentkeep dev`. */
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ServiceOptions } from '../../options/read-options.js';
import { CommandError } from '../command/command-error.js';
import { openConfigured } from '../store/open-store.js';

/** The file by which `dev` knows a directory that it made. */
const MARK = 'made-by-agentkeep-dev';

/** Marks the data directory as one that may be removed. */
export function markDemo(dataDir: string): void {
  writeFileSync(join(dataDir, MARK), '');
}

/** Returns whether a directory is absent or has nothing in it. */
export function isNew(dataDir: string): boolean {
  return !existsSync(dataDir) || readdirSync(dataDir).length === 0;
}

/**
 * Removes the data directory.
 * @throws {CommandError} if `dev` did not make it, or if the data is in a database.
 * @throws {AgentkeepError} while another process uses it.
 */
export async function resetDemo(options: ServiceOptions): Promise<void> {
  const { dataDir, storeUrl } = options;
  if (storeUrl !== undefined) {
    throw new CommandError('--reset removes a data directory. This store is a database.');
  }
  if (isNew(dataDir)) return;
  if (!existsSync(join(dataDir, MARK))) {
    throw new CommandError(
      `--reset: ${dataDir} was not made by \`agentkeep dev\`, so it is not removed. Remove it ` +
        'yourself, or name another one with --data-dir.',
    );
  }
  // Refuses a directory that another process serves.
  const keep = await openConfigured(options, {});
  await keep.close();
  rmSync(dataDir, { recursive: true });
}
