/**
 * Model of one credential: live until it is revoked.
 */
import type { SequentialModel } from './linearizability.js';

/** An event of a credential: accepted, refused, revoked, or revoked before. */
export type CredentialEvent = 'believed' | 'refused' | 'revoked' | 'revoked before';

/** The model of a credential. Its state is whether it is live. */
export const credentialModel: SequentialModel<boolean, CredentialEvent> = {
  initial: true,
  next(isLive, event) {
    const needsLive = event === 'believed' || event === 'revoked';
    if (needsLive !== isLive) return undefined;
    return event === 'believed';
  },
  keyOf: String,
};
