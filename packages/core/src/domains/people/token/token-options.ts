/** Settings of access tokens, with their defaults and bounds. */
import {
  ACCESS_TOKEN_SECONDS_DEFAULT,
  ACCESS_TOKEN_SECONDS_MAX,
  ACCESS_TOKEN_SECONDS_MIN,
} from '../../../contract/limits.js';
import { followsTextRule } from '../../../contract/schema/text.js';
import {
  type SigningKey,
  signingKeyFromPem,
  type VerifyingKey,
  verifyingKeyFromPem,
} from './rsa-key.js';

/** Options of access tokens. */
export interface TokenOptions {
  /** Lifetime of an access token in seconds, 61 to 86,400. Default: 3,600. */
  readonly ttlSeconds?: number;
  /** The claim `iss`. Default: `agentkeep`. */
  readonly issuer?: string;
  /** The claim `aud`. Default: `agentkeep`. */
  readonly audience?: string;
  /** PEM of the RSA key that signs. Default: a key that is generated once and kept in the store. */
  readonly privateKeyPem?: string;
  /** PEM, private or public, of a second verifying key, for rotation of the signing key. */
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
 * Checks options before anything is opened.
 * @throws {TypeError} as {@link tokenSettings}
 */
export function checkTokenOptions(options: TokenOptions): void {
  tokenSettings(options);
}

/**
 * Fills in the defaults and reads the keys.
 * @throws {TypeError} A value is out of bounds or a key is unusable. The message shows no key.
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
