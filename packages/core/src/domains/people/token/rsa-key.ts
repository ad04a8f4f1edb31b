/**
 * RSA keys that sign and verify tokens: read from PEM, generated, and named by their thumbprint.
 */
import {
  createPrivateKey,
  createPublicKey,
  generateKeyPair,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto';
import { promisify } from 'node:util';
import { sha256Text } from '../../../contract/digest.js';
import { RSA_BITS_MAX, RSA_BITS_MIN } from '../../../contract/limits.js';
import type { PublicJwk } from '../../../kernel/ports/tokens.js';

/** The public half of a key. */
export interface VerifyingKey {
  readonly publicKey: KeyObject;
  readonly jwk: PublicJwk;
}

/** A key that signs, and verifies what it signed. */
export interface SigningKey extends VerifyingKey {
  readonly privateKey: KeyObject;
}

/** Least public exponent that FIPS 186-5 allows. With exponent 1, any party could sign. */
const EXPONENT_MIN = 65_537n;
const PROBE = Buffer.from('agentkeep');
const generate = promisify(generateKeyPair);

/** Returns the thumbprint of an RSA key (RFC 7638): SHA-256 over its required members. */
export function thumbprintOf({ e, n }: { readonly e: string; readonly n: string }): string {
  return sha256Text(JSON.stringify({ e, kty: 'RSA', n }), 'base64url');
}

/** Generates a key; takes about 100 ms, off the event loop. */
export async function generateSigningKey(): Promise<SigningKey> {
  const { privateKey, publicKey } = await generate('rsa', { modulusLength: RSA_BITS_MIN });
  return { privateKey, ...verifyingKey(publicKey) };
}

/**
 * Reads a private key from PEM and checks that its halves match. Errors use `name` for the source
 * of the text and never quote the text.
 * @throws {TypeError} unless it is an RSA key without a passphrase, of the allowed length.
 */
export function signingKeyFromPem(name: string, pem: string): SigningKey {
  const privateKey = readKey(() => createPrivateKey(pem));
  if (privateKey === undefined || !isAllowed(privateKey)) throw refused(name, 'private');
  const publicKey = createPublicKey(privateKey);
  const isWhole = readKey(() =>
    verify('sha256', PROBE, publicKey, sign('sha256', PROBE, privateKey)),
  );
  if (isWhole !== true) throw refused(name, 'private');
  return { privateKey, ...verifyingKey(publicKey) };
}

/**
 * Reads the public half of a key from the PEM of either half.
 * @throws {TypeError} unless it is an RSA key without a passphrase, of the allowed length.
 */
export function verifyingKeyFromPem(name: string, pem: string): VerifyingKey {
  const publicKey = readKey(() => createPublicKey(pem));
  if (publicKey === undefined || !isAllowed(publicKey)) throw refused(name, 'private or public');
  return verifyingKey(publicKey);
}

/**
 * Reads a private key from the bytes of {@link exportSigningKey}.
 * @throws {Error} for any other bytes.
 */
export function importSigningKey(pkcs8: Buffer): SigningKey {
  const privateKey = createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' });
  return { privateKey, ...verifyingKey(createPublicKey(privateKey)) };
}

/** Returns the private key as PKCS #8 for storage. */
export function exportSigningKey({ privateKey }: SigningKey): Buffer {
  return privateKey.export({ format: 'der', type: 'pkcs8' });
}

function verifyingKey(publicKey: KeyObject): VerifyingKey {
  const { n, e } = publicKey.export({ format: 'jwk' });
  if (n === undefined || e === undefined) throw new TypeError('Only RSA keys sign tokens.');
  const kid = thumbprintOf({ e, n });
  return { publicKey, jwk: { kty: 'RSA', use: 'sig', alg: 'RS256', kid, n, e } };
}

function isAllowed({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): boolean {
  const { modulusLength = 0, publicExponent = 0n } = asymmetricKeyDetails ?? {};
  // A key of type rsa-pss must not be used for the signatures of RS256.
  return (
    asymmetricKeyType === 'rsa' &&
    modulusLength >= RSA_BITS_MIN &&
    modulusLength <= RSA_BITS_MAX &&
    publicExponent >= EXPONENT_MIN
  );
}

/** Returns the result of `read`, or `undefined` instead of an error that might show the key. */
function readKey<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

function refused(name: string, half: string): TypeError {
  return new TypeError(
    `${name} must be the PEM text of an RSA ${half} key without a passphrase, ` +
      `of ${RSA_BITS_MIN} to ${RSA_BITS_MAX} bits.`,
  );
}
