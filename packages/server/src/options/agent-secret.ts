/**
 * The secret of the agent that a command calls as. It is read from the environment or a file,
 * because flags are visible in the process list.
 */
import { InvalidOptionsError } from './invalid-options-error.js';
import { readSecretFile } from './secret-file.js';
import { secretText } from './secret-text.js';

/** Holds the secret. */
const VARIABLE = 'AGENTKEEP_SECRET';

/** Holds the path of a file with the secret. */
const SECRET_FILE_VARIABLE = 'AGENTKEEP_SECRET_FILE';

/** Variables that are not options of the service, but are accepted by every command. */
export const agentSecretVariables: readonly string[] = [VARIABLE, SECRET_FILE_VARIABLE];

/**
 * Returns the secret of the file that a flag names, or else of the environment. Blanks around it
 * are ignored.
 * @throws {InvalidOptionsError} when there is none, it is given twice, or the file cannot be read.
 */
export function readAgentSecret(
  environment: Readonly<Partial<Record<string, string>>>,
  flagFile: string | undefined,
): string {
  const given: Readonly<Partial<Record<string, string | undefined>>> = {
    '--secret-file': flagFile,
    [SECRET_FILE_VARIABLE]: environment[SECRET_FILE_VARIABLE],
    [VARIABLE]: environment[VARIABLE],
  };
  const [origin, ...others] = Object.keys(given).filter((name) => given[name] !== undefined);
  if (origin === undefined) {
    throw new InvalidOptionsError([
      `There is no secret. Set ${VARIABLE}, or name a file with --secret-file or ${SECRET_FILE_VARIABLE}.`,
    ]);
  }
  if (others.length > 0) {
    const names = [origin, ...others].join(' and ');
    throw new InvalidOptionsError([`${names} are both set. Set one of them.`]);
  }
  const value = given[origin] ?? '';
  if (origin === VARIABLE) return secretText(value, origin);
  return secretText(readSecretFile(value, origin), `${origin}: ${value}`);
}

/** Returns the file that the secret is read from; `undefined` if it is in a variable. */
export function agentSecretFile(
  environment: Readonly<Partial<Record<string, string>>>,
  flagFile: string | undefined,
): string | undefined {
  return flagFile ?? environment[SECRET_FILE_VARIABLE];
}
