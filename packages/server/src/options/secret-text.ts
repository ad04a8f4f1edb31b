/** The text of a secret that is sent in a header. */
import { InvalidOptionsError } from './invalid-options-error.js';

/** The characters of every secret, access token and API key. */
const SECRET = /^[\x21-\x7e]+$/;

/**
 * Returns a secret without the blanks around it.
 * @throws {InvalidOptionsError} when the text can be no secret. The message never quotes it: it may
 * be of a file that was named by mistake.
 */
export function secretText(text: string, origin: string): string {
  const secret = text.trim();
  if (secret.startsWith('{')) {
    throw new InvalidOptionsError([
      `${origin} holds JSON, such as a command prints with a new secret. Write the text of its ` +
        'member "secret" alone to a file with mode 0600, or let --write-secret do so.',
    ]);
  }
  if (SECRET.test(secret)) return secret;
  const what =
    secret === '' ? 'is empty' : 'holds no secret, which is one line of letters, digits and signs';
  throw new InvalidOptionsError([
    `${origin} ${what}. Name the file or variable that holds the secret alone.`,
  ]);
}
