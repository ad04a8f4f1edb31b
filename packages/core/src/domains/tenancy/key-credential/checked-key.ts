/** Checks the public key of a request. */
import {
  importPublicKey,
  keyVerifier,
  type PublicKey,
  thumbprintOf,
} from '../../../kernel/access/key-thumbprint.js';
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';

/**
 * Returns what is stored of a key.
 *
 * @throws {AgentkeepError} `invalid_request` if its numbers are no point of its curve.
 */
export function verifierOfKey(key: PublicKey): string {
  if (importPublicKey(key) !== undefined) return keyVerifier(thumbprintOf(key));
  const members = [{ path: 'public_key', expected: `a point of ${key.crv}` }];
  throw new AgentkeepError('invalid_request', { members });
}
