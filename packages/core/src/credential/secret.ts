/**
 * Secrets of tenant credentials: `ak1_<32 hex id>_<43 base64url>` (contract, identity-memory 3.3).
 * @module
 */
import { createHmac, timingSafeEqual } from 'node:crypto';

// The last character carries two unused bits, which are zero in the canonical form.
const SECRET = /^ak1_([0-9a-f]{32})_([A-Za-z0-9_-]{42}[AEIMQUYcgkosw048])$/;
const DOMAIN = 'agentkeep tenant credential 1';

/** Random bytes of a secret. */
export const SECRET_BYTES = 32;

/** The parts of a well-formed secret. */
export interface SecretParts {
  readonly credentialId: string;
  readonly bytes: Uint8Array;
}

/** The secret that is handed out once. */
export function formatSecret(credentialId: string, bytes: Uint8Array): string {
  const random = Buffer.from(bytes).toString('base64url');
  return `ak1_${credentialId.replaceAll('-', '')}_${random}`;
}

/** Reads a secret in canonical form; anything else is `undefined`. */
export function parseSecret(token: string): SecretParts | undefined {
  const [, hex, random] = SECRET.exec(token) ?? [];
  if (hex === undefined || random === undefined) return undefined;
  const credentialId = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    hex.slice(12, 16),
    hex.slice(16, 20),
    hex.slice(20),
  ].join('-');
  return { credentialId, bytes: Buffer.from(random, 'base64url') };
}

/** What is stored in place of a secret: a domain-separated HMAC-SHA-256 of its random bytes. */
export function verifierOf(bytes: Uint8Array): string {
  return createHmac('sha256', DOMAIN).update(bytes).digest('base64url');
}

/** Compares two verifiers in constant time. */
export function sameVerifier(one: string, other: string): boolean {
  const left = Buffer.from(one, 'latin1');
  const right = Buffer.from(other, 'latin1');
  return left.length === right.length && timingSafeEqual(left, right);
}
