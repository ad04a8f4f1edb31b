/** Names what was erased without naming it: keyed digests and pseudonyms. */
import { hmacSha256 } from '../../contract/digest.js';
import { canonicalJson } from '../../contract/schema/json-canonical.js';
import { INSTALLATION } from '../../storage/store/keyspace.js';
import type { StoredTarget } from './schema.js';

const KEY_BYTES = 32;
const PSEUDONYM_CHARS = 22;

/** Returns a new key of digests, as text. */
export function targetKeyFrom(bytes: (length: number) => Uint8Array): string {
  return Buffer.from(bytes(KEY_BYTES)).toString('base64url');
}

/** Returns the keyed digest of a target of a tenant, or of a tenant itself. */
export function targetDigest(key: string, tenantId: string, target: StoredTarget): string {
  return keyed(key, canonicalJson([tenantId === INSTALLATION ? null : tenantId, target]));
}

/** Returns the name that replaces that of an erased subject. */
export function pseudonymOf(key: string, tenantId: string, subjectId: string): string {
  const digest = keyed(key, canonicalJson([tenantId, 'pseudonym', subjectId]));
  return `erased-${digest.slice(0, PSEUDONYM_CHARS)}`;
}

function keyed(key: string, text: string): string {
  return hmacSha256(Buffer.from(key, 'base64url'))(text, 'base64url');
}
