/** What the tokens of a subject depend on, beside the limits that each call reads. */
import { secretPin } from '../../../kernel/access/secret.js';
import type { KnownLimits } from './subject-store.js';

/**
 * Returns a text that changes with the secret of the service, and with each time that the subject
 * was admitted anew.
 */
export function subjectPin(verifier: string, limits: KnownLimits | undefined): string {
  const admission = limits?.admission ?? null;
  return secretPin(admission === null ? verifier : `${verifier}:${admission}`);
}
