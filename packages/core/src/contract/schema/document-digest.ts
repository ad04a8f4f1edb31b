/** Digests of documents: equal for all spellings of a value, different for different values. */
import { sha256Text } from '../digest.js';
import { assertJson } from './json.js';
import { canonicalJson } from './json-value.js';

/** Keeps digests of different kinds of documents apart, even of equal ones. */
export type DigestDomain = `agentkeep ${string} ${number}`;

/** Whether two documents are equal as JSON: the order of members does not matter. */
export function isSameDocument(one: unknown, other: unknown): boolean {
  return canonicalJson(assertJson(one)) === canonicalJson(assertJson(other));
}

/**
 * SHA-256, in lower-case hex, over the domain and the canonical form of a value (RFC 8785).
 *
 * @throws {InvalidJsonError} when the value holds something that JSON cannot write.
 */
export function documentDigest(domain: DigestDomain, value: unknown): string {
  return sha256Text(`${domain}\0${canonicalJson(assertJson(value))}`, 'hex');
}
