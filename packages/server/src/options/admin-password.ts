/**
 * The password of a first administrator, which comes from the environment alone: a flag would be
 * seen by everybody who lists processes.
 *
 * @module
 */
import { readFileSync } from 'node:fs';
import { InvalidOptionsError } from './invalid-options-error.js';

/** Holds the password itself. */
const VARIABLE = 'AGENTKEEP_ADMIN_PASSWORD';

/** Names a file with the password. */
const FILE_VARIABLE = 'AGENTKEEP_ADMIN_PASSWORD_FILE';

/** The variables that are no options of the service, and that every command lets pass. */
export const adminPasswordVariables: readonly string[] = [VARIABLE, FILE_VARIABLE];

/**
 * The password that the environment gives; `undefined` when it gives none. Of a file, one line end
 * at its end does not count.
 *
 * @throws {InvalidOptionsError} when it is given twice, or the file cannot be read.
 */
export function readAdminPassword(
  environment: Readonly<Partial<Record<string, string>>>,
): string | undefined {
  const password = environment[VARIABLE];
  const file = environment[FILE_VARIABLE];
  if (file === undefined) return password;
  if (password === undefined) return readPasswordFile(file);
  throw new InvalidOptionsError([`${VARIABLE} and ${FILE_VARIABLE}: give one of the two.`]);
}

function readPasswordFile(file: string): string {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(
      readFileSync(file),
    );
    return text.replace(/\r?\n$/, '');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new InvalidOptionsError([`${FILE_VARIABLE}: ${file} cannot be read (${reason}).`]);
  }
}
