/** Removes the data of an earlier `agentkeep dev`. */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ServiceOptions } from '../../options/read-options.js';
import { CommandError } from '../command/command-error.js';
import { openConfigured } from '../store/open-store.js';

/** The file by which `dev` knows a store that it made: a copy of its manifest. */
const MARK = 'made-by-agentkeep-dev';

const MANIFEST = 'agentkeep.json';

/** Everything in a data directory of `dev`, with what tells its store last. */
const ENTRIES = [
  ...['data.mdb', 'lock.mdb', 'closed.json', 'audit', 'snapshots'],
  ...[MANIFEST, MARK],
];

/** Files and folders that a process could not finish. */
const UNFINISHED = '.unfinished-';

/** Marks the open store of a data directory as one that may be removed. */
export function markDemo(dataDir: string): void {
  writeFileSync(join(dataDir, MARK), readFileSync(join(dataDir, MANIFEST)), { mode: 0o600 });
}

/** Returns whether a directory is absent or has nothing in it. */
export function isNew(dataDir: string): boolean {
  return !existsSync(dataDir) || readdirSync(dataDir).length === 0;
}

/**
 * Removes what is in the data directory.
 * @throws {CommandError} if `dev` did not make all of it, or if the data is in a database.
 * @throws {AgentkeepError} while another process uses it.
 */
export async function resetDemo(options: ServiceOptions): Promise<void> {
  const { dataDir, storeUrl } = options;
  if (storeUrl !== undefined) {
    throw new CommandError('--reset removes a data directory. This store is a database.');
  }
  if (isNew(dataDir)) return;
  requireOwn(dataDir);
  // Refuses a directory that another process serves.
  const keep = await openConfigured(options, {});
  await keep.close();
  const unfinished = readdirSync(dataDir).filter((name) => name.startsWith(UNFINISHED));
  for (const name of [...unfinished, ...ENTRIES]) {
    rmSync(join(dataDir, name), { recursive: true, force: true });
  }
}

function requireOwn(dataDir: string): void {
  const foreign = readdirSync(dataDir).filter(
    (name) => !ENTRIES.includes(name) && !name.startsWith(UNFINISHED),
  );
  if (isMarked(dataDir) && foreign.length === 0) return;
  const reason =
    foreign.length === 0
      ? 'was not made by `agentkeep dev`'
      : `holds what \`agentkeep dev\` did not make (${foreign.join(', ')})`;
  throw new CommandError(
    `--reset: ${dataDir} ${reason}, so nothing is removed. Remove it yourself, or name another one ` +
      'with --data-dir.',
  );
}

/** A store that was restored into the directory has another manifest. */
function isMarked(dataDir: string): boolean {
  const textOf = (name: string): string | undefined => {
    const path = join(dataDir, name);
    return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
  };
  const mark = textOf(MARK);
  return mark !== undefined && mark === textOf(MANIFEST);
}
