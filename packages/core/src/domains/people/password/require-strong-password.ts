/** Requires passwords that are long enough and not widely known. */
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { PASSWORD_BYTES_MAX, PASSWORD_CODE_POINTS_MIN } from '../../../contract/limits.js';

/**
 * Checks a password that is about to be stored.
 *
 * @throws {AgentkeepError} `weak_password`, whose message names every rule that is broken.
 */
export function requireStrongPassword(password: string): void {
  const broken = brokenPasswordRules(password);
  if (broken.length > 0) throw new AgentkeepError('weak_password', { message: broken.join('; ') });
}

/** A condition that breaks the rule, with its fixed description. */
interface PasswordRule {
  readonly words: string;
  readonly isBroken: (password: string) => boolean;
}

/** The special characters; a password needs one. */
const SPECIAL_CHARACTERS = '!@#$%^&*()_+-=[]{}|;:,.<>?';

const special = new Set(SPECIAL_CHARACTERS);

const rules: readonly PasswordRule[] = [
  {
    words: `at least ${PASSWORD_CODE_POINTS_MIN} characters`,
    isBroken: (password) => Array.from(password).length < PASSWORD_CODE_POINTS_MIN,
  },
  {
    words: `at most ${PASSWORD_BYTES_MAX} bytes of UTF-8`,
    isBroken: (password) => Buffer.byteLength(password, 'utf8') > PASSWORD_BYTES_MAX,
  },
  { words: 'an upper-case letter A-Z', isBroken: (password) => !/[A-Z]/u.test(password) },
  { words: 'a lower-case letter a-z', isBroken: (password) => !/[a-z]/u.test(password) },
  { words: 'a digit 0-9', isBroken: (password) => !/\d/u.test(password) },
  {
    words: `a special character out of ${SPECIAL_CHARACTERS}`,
    isBroken: (password) => !Array.from(password).some((each) => special.has(each)),
  },
];

/**
 * Returns the broken rules in fixed words and order; empty for a valid password. The password isn't
 * trimmed or normalised, and characters outside the four classes count for the length only.
 */
export function brokenPasswordRules(password: string): readonly string[] {
  return rules.filter(({ isBroken }) => isBroken(password)).map(({ words }) => words);
}
