/** Refuses to give a secret or a key to a credential that an issuer proves. */
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import type { StoredCredential } from './credential-store.js';

/**
 * Requires a credential that is proved by a secret or a key.
 *
 * @throws {AgentkeepError} `invalid_request` for one that an issuer proves.
 */
export function requireNoIssuer({ federation }: StoredCredential): void {
  if (federation === null) return;
  const expected = 'a credential with a secret or a key; an issuer proves this one, so revoke it';
  throw new AgentkeepError('invalid_request', { members: [{ path: 'id', expected }] });
}
