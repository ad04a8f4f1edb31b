/** Passwords of new accounts whose people don't log in with one, or set their own later. */
import type { Runtime } from '../../../kernel/services/runtime.js';
import { generatePassword } from '../password/password-generator.js';

/** Returns the hash of a random password that nothing keeps, for an account of an authority. */
export function hashUnknownPassword(
  { entropy, passwords }: Pick<Runtime, 'entropy' | 'passwords'>,
  authority: string,
): Promise<string> {
  return passwords.hash(generatePassword(entropy), { authority, purpose: 'change' });
}
