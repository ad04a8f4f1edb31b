/** Which keys are accepted, how they are named, and that errors don't show them. */
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  exportSigningKey,
  generateSigningKey,
  importSigningKey,
  signingKeyFromPem,
  thumbprintOf,
  verifyingKeyFromPem,
} from './rsa-key.js';

const rsa = generateKeyPairSync('rsa', { modulusLength: 2_048 });
const pkcs8 = (key: KeyObject): string => key.export({ format: 'pem', type: 'pkcs8' }).toString();
const spki = (key: KeyObject): string => key.export({ format: 'pem', type: 'spki' }).toString();
const privatePem = pkcs8(rsa.privateKey);
const publicPem = spki(rsa.publicKey);

test('the thumbprint is that of the example in RFC 7638', () => {
  const n =
    '0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPeb' +
    'WKRXjBZCiFV4n3oknjhMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368Q' +
    'QMicAtaSqzs8KJZgnYb9c7d0zgdAZHzu6qMQvRL5hajrn1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2' +
    'NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-kEgU8awapJzKnqDKgw';
  expect(thumbprintOf({ e: 'AQAB', n })).toBe('NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs');
});

describe('a PEM text', () => {
  test('gives the same key in either form and from either half', () => {
    const signing = signingKeyFromPem('key', privatePem);
    const older = rsa.privateKey.export({ format: 'pem', type: 'pkcs1' }).toString();
    expect(signingKeyFromPem('key', older).jwk).toEqual(signing.jwk);
    expect(verifyingKeyFromPem('key', privatePem).jwk).toEqual(signing.jwk);
    expect(verifyingKeyFromPem('key', publicPem).jwk).toEqual(signing.jwk);
    expect(Object.keys(signing.jwk).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use']);
  });

  test.each([
    ['nothing', ''],
    ['some other text', 'hunter2'],
    ['a public key', publicPem],
    ['a damaged key', privatePem.replace(/[A-Za-z]{8}/g, 'AAAAAAAA')],
    ['a short key', pkcs8(generateKeyPairSync('rsa', { modulusLength: 1_024 }).privateKey)],
    ['an elliptic key', pkcs8(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey)],
    ['an Edwards key', pkcs8(generateKeyPairSync('ed25519').privateKey)],
    ['a key for PSS', pkcs8(generateKeyPairSync('rsa-pss', { modulusLength: 2_048 }).privateKey)],
    [
      'a key with a small exponent',
      pkcs8(generateKeyPairSync('rsa', { modulusLength: 2_048, publicExponent: 3 }).privateKey),
    ],
    [
      'a key with a passphrase',
      rsa.privateKey
        .export({ format: 'pem', type: 'pkcs8', cipher: 'aes-256-cbc', passphrase: 'hunter2' })
        .toString(),
    ],
  ])('that is %s is refused, and the error does not show it', (_, pem) => {
    const read = (): unknown => signingKeyFromPem('tokens.privateKeyPem', pem);
    expect(read).toThrow(
      new TypeError(
        'tokens.privateKeyPem must be the PEM text of an RSA private key without a passphrase, ' +
          'of 2048 to 8192 bits.',
      ),
    );
    expect(read).toThrow(expect.not.objectContaining({ cause: expect.anything() }));
  });

  test('whose halves do not match is refused', () => {
    const der = Buffer.from(rsa.privateKey.export({ format: 'der', type: 'pkcs1' }));
    // Within the exponent that signs, and within a prime; either alone can be made up for.
    for (const at of [400, 700]) der[at] = (der[at] ?? 0) ^ 0xff;
    const body = der.toString('base64').replaceAll(/.{64}/g, '$&\n');
    const pem = `-----BEGIN RSA PRIVATE KEY-----\n${body}\n-----END RSA PRIVATE KEY-----\n`;
    expect(() => signingKeyFromPem('key', pem)).toThrow(TypeError);
  });

  test('of another kind is refused for verification', () => {
    const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    expect(() => verifyingKeyFromPem('key', spki(publicKey))).toThrow(
      'key must be the PEM text of an RSA private or public key',
    );
    expect(() => verifyingKeyFromPem('key', 'hunter2')).toThrow(TypeError);
  });
});

test('SES-73 a generated key is long enough and survives export and import', async () => {
  const made = await generateSigningKey();
  expect(made.privateKey.asymmetricKeyDetails).toMatchObject({
    modulusLength: 2_048,
    publicExponent: 65_537n,
  });
  const back = importSigningKey(exportSigningKey(made));
  expect(back.jwk).toEqual(made.jwk);
  expect(back.privateKey.equals(made.privateKey)).toBe(true);
});
