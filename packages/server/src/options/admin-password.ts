/**
 * The password of a first administrator. It is read from the environment only, because flags are
 * visible in the process list.
 */
import { InvalidOptionsError } from './invalid-options-error.js';
import { readSecretFile } from './secret-file.js';

/** Holds the password. */
const VARIABLE = 'AGENTKEEP_ADMIN_PASSWORD';

/** Holds the path of a file with the password. */
const FILE_VARIABLE = 'AGENTKEEP_ADMIN_PASSWORD_FILE';

/** Variables that are not options of the service, but are accepted by every command. */
export const adminPasswordVariables: readonly string[] = [VARIABLE, FILE_VARIABLE];

/**
 * Returns the password from the environment, or `undefined`. One line ending at the end of a file
 * is ignored.
 *
 * @throws {InvalidOptionsError} when it is given twice, or the file cannot be read.
 */
export function readAdminPassword(
  environment: Readonly<Partial<Record<string, string>>>,
): string | undefined {
  const password = environment[VARIABLE];
  const file = environment[FILE_VARIABLE];
  if (file === undefined) return password;
  if (password === undefined) return readSecretFile(file, FILE_VARIABLE);
  throw new InvalidOptionsError([
    `${VARIABLE} and ${FILE_VARIABLE} are both set. Set one of them.`,
  ]);
}
