/** Passwords of new accounts whose people don't log in with one, or set their own later. */
import { passwords } from '../../../kernel/ports/counted-hasher.js';
import type { Runtime } from '../../../kernel/services/runtime.js';
import { generatePassword } from '../password/password-generator.js';

/** Returns the hash of a random password that nothing keeps, for an account of an authority. */
export function hashUnknownPassword(
  runtime: Pick<Runtime, 'entropy' | 'ports'>,
  authority: string,
): Promise<string> {
  return passwords
    .of(runtime)
    .hash(generatePassword(runtime.entropy), { authority, purpose: 'change' });
}
