/**
 * The ids of erased subjects, as keyed digests: nothing acts for such a subject until an
 * administrator admits it anew (docs/contract/erasure.md#era-29).
 */
import { refuseErasedSubject } from '../../access/erasure-mark-store.js';
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import { hmacSha256 } from '../../contract/digest.js';
import { keyspace } from '../../storage/store/keyspace.js';
import { jsonLayout } from '../../storage/store/layouts.js';
import type { ReadTx, WriteTx } from '../../storage/store/store.js';
import { Subspace } from '../../storage/store/subspace.js';

const keys = new Subspace(keyspace.erasedSubjectKeys, jsonLayout<string>(1), { remember: true });
const erased = new Subspace(keyspace.erasedSubjects, jsonLayout<null>(1));

/** The subspaces of this file, by their names in the key space. */
export const erasedSubjectSubspaces = { erasedSubjectKeys: keys, erasedSubjects: erased };

/** A subject of a tenant. */
interface NamedSubject {
  readonly tenantId: string;
  readonly subjectId: string;
}

/** Returns whether a subject was erased, or is being erased, and was not admitted anew. */
export function isErasedSubject(tx: ReadTx, tenantId: string, subjectId: string): boolean {
  const key = keys.get(tx, tenantId);
  return key !== undefined && erased.has(tx, tenantId, digestOf(key, subjectId));
}

/**
 * Refuses from now on what acts for a subject. Without a key of digests so far, `newKey` becomes
 * that of the tenant.
 */
export function putErasedSubject(
  tx: WriteTx,
  { tenantId, subjectId }: NamedSubject,
  newKey: string,
): void {
  let key = keys.get(tx, tenantId);
  if (key === undefined) {
    keys.put(tx, newKey, tenantId);
    key = newKey;
  }
  erased.put(tx, null, tenantId, digestOf(key, subjectId));
}

/**
 * Admits a subject anew if it was erased. Returns whether it was.
 *
 * @throws {AgentkeepError} `erasure_in_progress`
 */
export function admitErasedSubject(tx: WriteTx, { tenantId, subjectId }: NamedSubject): boolean {
  refuseErasedSubject(tx, tenantId, subjectId);
  const key = keys.get(tx, tenantId);
  if (key === undefined) return false;
  const digest = digestOf(key, subjectId);
  if (!erased.has(tx, tenantId, digest)) return false;
  tx.remove(erased.keyOf(tenantId, digest));
  return true;
}

/**
 * Refuses to act for an erased subject that was not admitted anew.
 *
 * @throws {AgentkeepError} `subject_erased`
 */
export function requireAdmitted(tx: ReadTx, tenantId: string, subjectId: string): void {
  if (isErasedSubject(tx, tenantId, subjectId)) throw new AgentkeepError('subject_erased');
}

function digestOf(key: string, subjectId: string): Uint8Array {
  return Buffer.from(hmacSha256(Buffer.from(key, 'base64url'))(subjectId, 'hex'), 'hex');
}
