/** A public key that a person pasted, or what is wrong with it. */
import type { Agent } from '@agentkeep/client';
import { texts } from '../../texts/en/english.js';
import { objectOf } from '../../parts/written-json.js';

const words = texts.publicKey.problems;

/** A key as callers state it. */
export type PublicKey = Parameters<Agent['credentials']['issueForKey']>[1];

/** The result of reading a text: a key, or a problem in words. */
export type PastedKey = { readonly key: PublicKey } | { readonly problem: string };

/** Members of a JWK that only its holder may know (RFC 7518, section 6). */
const PRIVATE_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'];

/** 32 bytes; the last two bits of the last character are no part of them. */
const COORDINATE = /^[\w-]{42}[048AEIMQUYcgkosw]$/;

/** Reads a pasted key. Members that describe it, such as `kid`, are left out. */
export function publicKeyOf(text: string): PastedKey {
  const pasted = objectOf(text);
  if (pasted === undefined) return { problem: words.noJson };
  if (Array.isArray(pasted) || 'keys' in pasted) return { problem: words.several };
  const secret = PRIVATE_MEMBERS.find((member) => member in pasted);
  if (secret !== undefined) return { problem: words.private(secret) };
  const { kty, crv, x, y } = pasted as Readonly<Partial<Record<string, unknown>>>;
  const isEdwards = kty === 'OKP' && crv === 'Ed25519';
  if (!isEdwards && !(kty === 'EC' && crv === 'P-256')) return { problem: words.kind };
  if (!isCoordinate(x)) return { problem: words.coordinate('x') };
  if (isEdwards) return { key: { kty: 'OKP', crv: 'Ed25519', x } };
  if (!isCoordinate(y)) return { problem: words.coordinate('y') };
  return { key: { kty: 'EC', crv: 'P-256', x, y } };
}

function isCoordinate(value: unknown): value is string {
  return typeof value === 'string' && COORDINATE.test(value);
}
