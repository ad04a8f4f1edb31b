/** Files of secrets and profiles that other users of the machine can read or change. */
import { statSync } from 'node:fs';
import { foreignRights } from '../../command/foreign-rights.js';
import { CommandError } from '../../command/command-error.js';
import type { CommandIo } from '../../command/command.js';

/** Rights of the group and of others to write. */
const FOREIGN_WRITE = 0o022;

/**
 * Warns of a file that others may read.
 * @throws {CommandError} for one that others may write, and so name another server or secret.
 */
export function requirePrivate({ writeError }: Pick<CommandIo, 'writeError'>, file: string): void {
  const mode = statSync(file, { throwIfNoEntry: false })?.mode ?? 0;
  const rights = foreignRights(mode);
  if (rights === undefined) return;
  if ((mode & FOREIGN_WRITE) !== 0) {
    throw new CommandError(
      `Other users may change ${file} (${rights}), so it is not used. Run \`chmod 600 ${file}\`.`,
    );
  }
  writeError(`Other users may read ${file} (${rights}). Run \`chmod 600 ${file}\`.\n`);
}
