/**
 * One credential: live until it is revoked, and never again.
 * @module
 */
import type { SequentialModel } from './linearizability.js';

/** What happens to a credential: it is believed, it is not, it is revoked, it was so before. */
export type CredentialEvent = 'believed' | 'refused' | 'revoked' | 'revoked before';

/** What a credential answers; the state tells whether it is live. */
export const credentialModel: SequentialModel<boolean, CredentialEvent> = {
  initial: true,
  next(isLive, event) {
    const needsLive = event === 'believed' || event === 'revoked';
    if (needsLive !== isLive) return undefined;
    return event === 'believed';
  },
  keyOf: String,
};
