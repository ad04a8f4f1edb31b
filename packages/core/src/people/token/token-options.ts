/**
 * Settings of access tokens, with their defaults and bounds.
 * @module
 */
import {
  ACCESS_TOKEN_SECONDS_DEFAULT,
  ACCESS_TOKEN_SECONDS_MAX,
  ACCESS_TOKEN_SECONDS_MIN,
} from '../../contract/limits.js';
import { followsTextRule } from '../../contract/schema/text.js';
import {
  type SigningKey,
  signingKeyFromPem,
  type VerifyingKey,
  verifyingKeyFromPem,
} from './rsa-key.js';

/** What a caller may say about access tokens. */
export interface TokenOptions {
  /** Seconds that an access token lives, 61 to 86,400. Default 3,600. */
  readonly ttlSeconds?: number;
  /** Who issues tokens: the claim `iss`. Default `agentkeep`. */
  readonly issuer?: string;
  /** Whom tokens are meant for: the claim `aud`. Default `agentkeep`. */
  readonly audience?: string;
  /** PEM of the RSA key that signs. Default: a key that is made once and kept in the store. */
  readonly privateKeyPem?: string;
  /** PEM, private or public, of one more key that verifies, while the signing key is changed. */
  readonly additionalKeyPem?: string;
}

/** Settings with all defaults filled in, and the keys read. */
export interface TokenSettings {
  readonly ttlSecs: number;
  readonly issuer: string;
  readonly audience: string;
  readonly signing: SigningKey | undefined;
  readonly additional: VerifyingKey | undefined;
}

const NAME_DEFAULT = 'agentkeep';

/**
 * Checks options before anything is opened with them.
 * @throws {TypeError} as {@link tokenSettings}
 */
export function checkTokenOptions(options: TokenOptions): void {
  tokenSettings(options);
}

/**
 * Fills in the defaults and reads the keys.
 * @throws {TypeError} when something is out of bounds or a key cannot be used; it shows no key.
 */
export function tokenSettings(options: TokenOptions): TokenSettings {
  const {
    ttlSeconds: ttlSecs = ACCESS_TOKEN_SECONDS_DEFAULT,
    issuer = NAME_DEFAULT,
    audience = NAME_DEFAULT,
    privateKeyPem,
    additionalKeyPem,
  } = options;
  const [min, max] = [ACCESS_TOKEN_SECONDS_MIN, ACCESS_TOKEN_SECONDS_MAX];
  if (!Number.isSafeInteger(ttlSecs) || ttlSecs < min || ttlSecs > max) {
    throw new TypeError(`tokens.ttlSeconds must be an integer from ${min} to ${max}.`);
  }
  requireText('issuer', issuer);
  requireText('audience', audience);
  return {
    ttlSecs,
    issuer,
    audience,
    signing:
      privateKeyPem === undefined
        ? undefined
        : signingKeyFromPem('tokens.privateKeyPem', privateKeyPem),
    additional:
      additionalKeyPem === undefined
        ? undefined
        : verifyingKeyFromPem('tokens.additionalKeyPem', additionalKeyPem),
  };
}

function requireText(name: string, text: string): void {
  if (followsTextRule(text)) return;
  throw new TypeError(
    `tokens.${name} must be 1 to 256 UTF-8 bytes, not blank, without control characters.`,
  );
}
