/** Pasted keys, which are checked before one is sent. */
import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { publicKeyOf } from './public-key.js';

const edwards = generateKeyPairSync('ed25519');
const weierstrass = generateKeyPairSync('ec', { namedCurve: 'P-256' });

describe('a pasted public key', () => {
  test.each([edwards, weierstrass])('is read without what describes it', ({ publicKey }) => {
    const jwk = publicKey.export({ format: 'jwk' });
    const described = { ...jwk, kid: '1', alg: 'any', use: 'sig', ext: true, key_ops: ['verify'] };
    expect(publicKeyOf(JSON.stringify(described, undefined, 2))).toEqual({ key: jwk });
  });

  test.each([edwards, weierstrass])('is refused with its private part', ({ privateKey }) => {
    const jwk = privateKey.export({ format: 'jwk' });
    expect(publicKeyOf(JSON.stringify(jwk))).toEqual({
      problem: 'This is a private key: it has d. It was not sent. Paste the public key only.',
    });
  });

  const jwk = weierstrass.publicKey.export({ format: 'jwk' });
  test.each([
    ['a text', 'ssh-ed25519 AAAA', /not JSON/],
    ['a set', { keys: [jwk] }, /several keys/],
    ['an array', [jwk], /several keys/],
    ['a symmetric key', { kty: 'oct', k: 'AAAA' }, /private key: it has k/],
    ['another kind', { kty: 'RSA', n: 'AAAA', e: 'AQAB' }, /not an Ed25519 or P-256/],
    ['another curve', { ...jwk, crv: 'P-384' }, /not an Ed25519 or P-256/],
    ['a curve of another kind', { ...jwk, kty: 'OKP' }, /not an Ed25519 or P-256/],
    ['a short coordinate', { ...jwk, x: 'AAAA' }, /^x is not 32 bytes/],
    ['a padded coordinate', { ...jwk, y: `${jwk.y ?? ''}=` }, /^y is not 32 bytes/],
    ['a coordinate that is missing', { ...jwk, y: undefined }, /^y is not 32 bytes/],
  ])('is no %s', (_what, pasted, problem) => {
    const text = typeof pasted === 'string' ? pasted : JSON.stringify(pasted);
    expect(publicKeyOf(text)).toEqual({ problem: expect.stringMatching(problem) as string });
  });
});
