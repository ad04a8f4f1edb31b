/** Refuses passwords that break the rule and names the broken parts. */
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { brokenPasswordRules } from './password-policy.js';

/**
 * Checks a password that is about to be stored.
 *
 * @throws {AgentkeepError} `weak_password`, whose message names every rule that is broken.
 */
export function requireStrongPassword(password: string): void {
  const broken = brokenPasswordRules(password);
  if (broken.length > 0) throw new AgentkeepError('weak_password', { message: broken.join('; ') });
}
