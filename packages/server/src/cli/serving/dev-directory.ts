/** The data directory that `agentkeep dev` makes, and how it starts over. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ServiceOptions } from '../../options/read-options.js';
import { CommandError } from '../command/command-error.js';
import { openToChange } from '../store/open-to-change.js';

/** Folder of the data directory with what `dev` writes beside the store. */
const DEMO_FOLDER = 'demo';

/** A copy of the manifest of the store that `dev` made. */
const MARK = 'made-by-dev.json';

const MANIFEST = 'agentkeep.json';

/** Everything that a store of `dev` has; the manifest and the mark are removed last. */
const ENTRIES = [
  ...['data.mdb', 'lock.mdb', 'closed.json', 'audit', 'snapshots'],
  ...[MANIFEST, DEMO_FOLDER],
];

const UNFINISHED = '.unfinished-';

/** Returns the folder with the secrets of the demo tenant. */
export function demoFolder(dataDir: string): string {
  return join(dataDir, DEMO_FOLDER);
}

/** Returns whether nothing is lost by making a store in a directory. */
export function isFreeDirectory(dataDir: string): boolean {
  return !existsSync(dataDir) || readdirSync(dataDir).length === 0;
}

/** Marks the directory of an open store as one that `dev` made, so that it may be reset. */
export function markDirectory(dataDir: string): void {
  mkdirSync(demoFolder(dataDir), { recursive: true, mode: 0o700 });
  const mark = join(demoFolder(dataDir), MARK);
  writeFileSync(mark, readFileSync(join(dataDir, MANIFEST)), { mode: 0o600 });
}

/**
 * Removes the store that `dev` made in a directory; does nothing in a free one.
 * @throws {CommandError} when the store is not one that `dev` made, or there is something else.
 * @throws {AgentkeepError} as `openKeep`: `store_in_use` while a server runs on it.
 */
export async function resetDirectory(options: ServiceOptions): Promise<void> {
  const { dataDir } = options;
  if (isFreeDirectory(dataDir)) return;
  const foreign = readdirSync(dataDir).filter(
    (name) => !ENTRIES.includes(name) && !name.startsWith(UNFINISHED),
  );
  if (!isMarked(dataDir) || foreign.length > 0) {
    const reason =
      foreign.length === 0
        ? 'was not made by `agentkeep dev`'
        : `holds what \`agentkeep dev\` did not make: ${foreign.join(', ')}`;
    throw new CommandError(
      `${dataDir} ${reason}, so it is not reset and nothing was removed. Remove what you do not ` +
        'need yourself, or name another directory with --data-dir.',
    );
  }
  // An opening is refused while another process has the store.
  await (await openToChange(options)).close();
  for (const name of readdirSync(dataDir).filter((each) => each.startsWith(UNFINISHED))) {
    rmSync(join(dataDir, name), { recursive: true });
  }
  for (const name of ENTRIES) rmSync(join(dataDir, name), { recursive: true, force: true });
}

/** A restored store has another manifest than the one that `dev` made. */
function isMarked(dataDir: string): boolean {
  const textOf = (path: string) => (existsSync(path) ? readFileSync(path, 'utf8') : undefined);
  const mark = textOf(join(demoFolder(dataDir), MARK));
  return mark !== undefined && mark === textOf(join(dataDir, MANIFEST));
}
