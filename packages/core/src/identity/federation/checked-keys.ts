/** Checks the keys of an issuer that a request states. */
import { createPublicKey } from 'node:crypto';
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import { asciiUrl } from '../../contract/schema/web-url.js';
import type { IssuerKey, IssuerKeys } from './schema.js';

/**
 * Returns the keys as they are stored.
 *
 * @throws {AgentkeepError} `invalid_request` for a key that cannot be used.
 */
export function checkedKeys(keys: IssuerKeys): IssuerKeys {
  switch (keys.mode) {
    case 'discovery':
      return keys;
    case 'address':
      return { mode: 'address', jwks_uri: asciiUrl(keys.jwks_uri) };
    case 'inline': {
      const wrong = keys.keys.findIndex((key) => !canBeUsed(key));
      if (wrong < 0) return keys;
      const members = [{ path: `keys.keys[${wrong}]`, expected: 'a public key of its kind' }];
      throw new AgentkeepError('invalid_request', { members });
    }
  }
}

/** Least length of an RSA key in bits (RFC 7518, section 3.3). */
const RSA_BITS_MIN = 2_048;

/** Returns whether the numbers of a key are a key. */
export function canBeUsed(key: IssuerKey): boolean {
  try {
    const { asymmetricKeyDetails } = createPublicKey({ key: { ...key }, format: 'jwk' });
    return key.kty !== 'RSA' || (asymmetricKeyDetails?.modulusLength ?? 0) >= RSA_BITS_MIN;
  } catch {
    return false;
  }
}
