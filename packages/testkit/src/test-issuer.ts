/** Assertions as issuers sign them. */
import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';

type Claims = Readonly<Record<string, unknown>>;

/** An issuer with one key. */
export interface TestIssuer {
  /** The public half as a JWK with a `kid`. */
  readonly key: Claims;
  /** Signs claims; `header` replaces members of the usual header. */
  sign(claims: Claims, header?: Claims): string;
}

/** Returns an issuer with a new key. */
export function testIssuer(kid = 'k1', kind: 'ed25519' | 'rsa' | 'ec' = 'ec'): TestIssuer {
  const { publicKey, privateKey, alg } = pairs[kind]();
  return {
    key: { ...publicKey.export({ format: 'jwk' }), kid },
    sign: (claims, header = {}) => {
      const signed = `${part({ alg, kid, typ: 'JWT', ...header })}.${part(claims)}`;
      return `${signed}.${signatures[alg](signed, privateKey)}`;
    },
  };
}

/** Signs with a shared secret, which is the text of a public key. */
export function hmacSigned(claims: Claims, secret: string): string {
  const signed = `${part({ alg: 'HS256', kid: 'k1', typ: 'JWT' })}.${part(claims)}`;
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
}

/** Returns a part of a JWT. */
export function part(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

const pairs = {
  ed25519: () => ({ ...generateKeyPairSync('ed25519'), alg: 'EdDSA' as const }),
  rsa: () => ({ ...generateKeyPairSync('rsa', { modulusLength: 2_048 }), alg: 'RS256' as const }),
  ec: () => ({ ...generateKeyPairSync('ec', { namedCurve: 'P-256' }), alg: 'ES256' as const }),
};

const signatures = {
  EdDSA: (text: string, key: KeyObject) => sign(null, Buffer.from(text), key).toString('base64url'),
  RS256: (text: string, key: KeyObject) =>
    sign('sha256', Buffer.from(text), key).toString('base64url'),
  ES256: (text: string, key: KeyObject) =>
    sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url'),
};
