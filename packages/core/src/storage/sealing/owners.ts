/** Names of the owners of data keys. */
import { asBuffer } from '../store/bytes.js';
import { keyspace } from '../store/keyspace.js';
import { tupleLayout } from '../store/layouts.js';
import { Subspace } from '../store/subspace.js';

/** The owner of what belongs to a tenant as a whole. */
export const TENANT_OWNER = 'tenant';

/** Index of the private subject in the readable form of a namespace. */
const SUBJECT_AT = 4;

/** The readable forms, which `access/namespace-store.ts` writes. */
const namespaces = new Subspace(
  keyspace.namespaces,
  tupleLayout<readonly (string | null | undefined)[]>(1),
);

/** Returns the owner of the private memory of a subject. */
export function subjectOwner(subject: string | Uint8Array): string {
  const bytes = typeof subject === 'string' ? Buffer.from(subject, 'utf8') : asBuffer(subject);
  return `subject ${bytes.toString('latin1')}`;
}

/** Returns the owner of a shared scope, from its digest. */
export function scopeOwner(digest: Uint8Array): string {
  return `scope ${asBuffer(digest).toString('hex')}`;
}

/**
 * Returns the owner of a namespace from its stored value.
 *
 * @throws {AgentkeepError} `key_destroyed`, `key_unavailable` or `storage_inconsistency`
 */
export function ownerInNamespace(key: Uint8Array, digest: Uint8Array, value: Uint8Array): string {
  const subject = namespaces.open(key, value)[SUBJECT_AT] ?? null;
  return subject === null ? scopeOwner(digest) : subjectOwner(subject);
}
