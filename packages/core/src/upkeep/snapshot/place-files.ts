/** Puts the files of a restored store in place. */
import { link, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import { lockFileOf } from '../../storage/lmdb-store/data-file.js';
import { isUnfinished, syncDirectory } from '../../storage/lmdb-store/directory.js';
import { codeOf } from '../../storage/lmdb-store/failure.js';
import { LEDGER_FILE } from './erasure-ledger.js';
import { SNAPSHOT_FILES } from './snapshot-files.js';

/**
 * Checks that nothing is in a directory but a ledger of erasures and temporary files.
 * @throws {AgentkeepError} `directory_not_empty`
 */
export async function assertEmpty(directory: string): Promise<void> {
  const names = await readdir(directory);
  if (!names.every((name) => isUnfinished(name) || name === LEDGER_FILE))
    throw new AgentkeepError('directory_not_empty');
}

/**
 * Moves files into an empty directory. The manifest of the store comes first: until its data
 * follows, the directory can't be opened.
 */
export async function placeFiles(staging: string, target: string): Promise<void> {
  for (const name of SNAPSHOT_FILES) {
    try {
      await link(join(staging, name), join(target, name));
    } catch (cause) {
      if (codeOf(cause) !== 'EEXIST') throw cause;
      throw new AgentkeepError('directory_not_empty', { cause });
    }
  }
  await syncDirectory(target);
}

/** Replaces the files of a store. A mix of old and new files can't be opened. */
export async function replaceFiles(staging: string, target: string): Promise<void> {
  for (const name of SNAPSHOT_FILES) await rename(join(staging, name), join(target, name));
  // The lock file belongs to the replaced data file. A process that still has that one open fails.
  await rm(lockFileOf(target), { force: true });
  await syncDirectory(target);
}
