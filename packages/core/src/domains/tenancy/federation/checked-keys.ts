/** Checks the keys of an issuer that a request states. */
import { createPublicKey } from 'node:crypto';
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { asciiUrl } from '../../../contract/schema/web-url.js';
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

/** Members of a JWK that are none of its numbers. */
const DESCRIPTIONS = ['kid', 'alg', 'use'];

/** Returns whether the numbers of a key are a key, without members of another kind. */
export function canBeUsed(jwk: IssuerKey): boolean {
  try {
    const key = createPublicKey({ key: { ...jwk }, format: 'jwk' });
    const own = [...Object.keys(key.export({ format: 'jwk' })), ...DESCRIPTIONS];
    if (Object.keys(jwk).some((name) => !own.includes(name))) return false;
    const { modulusLength = 0 } = key.asymmetricKeyDetails ?? {};
    return jwk.kty !== 'RSA' || modulusLength >= RSA_BITS_MIN;
  } catch {
    return false;
  }
}
