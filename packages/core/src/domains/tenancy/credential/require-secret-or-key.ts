/** Refuses to give a secret or a key to a credential that is proved in another way. */
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import type { StoredCredential } from './credential-store.js';

/**
 * Requires a credential that is proved by a secret or a key.
 *
 * @throws {AgentkeepError} `invalid_request` for one that an issuer proves, or that an account gave
 * to a program.
 */
export function requireSecretOrKey({ federation, program }: StoredCredential): void {
  if (federation === null && program === null) return;
  const expected =
    federation === null
      ? 'a credential with a secret or a key; this one was given to a program, so revoke it'
      : 'a credential with a secret or a key; an issuer proves this one, so revoke it';
  throw new AgentkeepError('invalid_request', { members: [{ path: 'id', expected }] });
}
