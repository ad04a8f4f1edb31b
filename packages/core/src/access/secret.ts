/**
 * Opaque secrets: a family, one or two ids, and 32 random bytes of which only a keyed digest is
 * kept (contract, administration 1.5).
 *
 * @module
 */
import { timingSafeEqual } from 'node:crypto';
import { hmacSha256Text } from '../contract/digest.js';

/** Random bytes of a secret. */
export const SECRET_BYTES = 32;

/** What a secret is for, by how it begins. */
export type SecretFamily = 'ak1' | 'akg1' | 'akst1' | 'aksg1' | 'akr1';

/** Separates the digests of the families, so that none of them passes for another. */
const domains: Readonly<Record<SecretFamily, string>> = {
  ak1: 'agentkeep tenant credential 1',
  akg1: 'agentkeep global credential 1',
  akst1: 'agentkeep tenant session 1',
  aksg1: 'agentkeep global session 1',
  akr1: 'agentkeep refresh token 1',
};

/** The parts of a well-formed secret. */
export interface Secret {
  readonly family: SecretFamily;
  /** Id of a credential, or of an account. */
  readonly id: string;
  /** Id of a session, in the families that have one. */
  readonly sessionId?: string | undefined;
  readonly bytes: Uint8Array;
}

// The last character carries two unused bits, which are zero in the canonical form.
const RANDOM = '([A-Za-z0-9_-]{42}[AEIMQUYcgkosw048])';
const ID = '([0-9a-f]{32})';
const OF_CREDENTIAL = new RegExp(`^(ak1|akg1)_${ID}_${RANDOM}$`);
const OF_SESSION = new RegExp(`^(akst1|aksg1|akr1)_${ID}_${ID}_${RANDOM}$`);

/** The secret that is handed out once. */
export function formatSecret({ family, id, sessionId, bytes }: Secret): string {
  const ids = sessionId === undefined ? [id] : [id, sessionId];
  const random = Buffer.from(bytes).toString('base64url');
  return [family, ...ids.map((each) => each.replaceAll('-', '')), random].join('_');
}

/** Reads a secret in canonical form; anything else is `undefined`. */
export function parseSecret(text: string): Secret | undefined {
  const [, family, hex = '', random = ''] = OF_CREDENTIAL.exec(text) ?? [];
  if (family === undefined) return parseSessionSecret(text);
  return { family: family as SecretFamily, id: hyphenated(hex), bytes: bytesOf(random) };
}

function parseSessionSecret(text: string): Secret | undefined {
  const [, family, account = '', session = '', random = ''] = OF_SESSION.exec(text) ?? [];
  if (family === undefined) return undefined;
  return {
    family: family as SecretFamily,
    id: hyphenated(account),
    sessionId: hyphenated(session),
    bytes: bytesOf(random),
  };
}

/** What is stored in place of a secret: a domain-separated HMAC-SHA-256 of its random bytes. */
export function verifierOf({ family, bytes }: Pick<Secret, 'family' | 'bytes'>): string {
  return hmacSha256Text(domains[family], bytes, 'base64url');
}

/** Compares two verifiers in constant time. */
export function sameVerifier(one: string, other: string): boolean {
  const left = Buffer.from(one, 'latin1');
  const right = Buffer.from(other, 'latin1');
  return left.length === right.length && timingSafeEqual(left, right);
}

function bytesOf(random: string): Uint8Array {
  return Buffer.from(random, 'base64url');
}

function hyphenated(hex: string): string {
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    hex.slice(12, 16),
    hex.slice(16, 20),
    hex.slice(20),
  ].join('-');
}
