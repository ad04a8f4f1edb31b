/**
 * The ids of erased subjects, as keyed digests: nothing acts for such a subject until an
 * administrator admits it anew (docs/contract/erasure.md#era-29).
 */
import { refuseErasedSubject } from './erasure-mark-store.js';
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import { hmacSha256 } from '../../contract/digest.js';
import { defineFamily } from '../../storage/store/family.js';
import { jsonLayout } from '../../storage/store/fields.js';
import type { ReadTx, WriteTx } from '../../storage/store/store.js';

/** The keys of the digests of a tenant: one, and those of other stores whose ledgers came here. */
type Keys = readonly string[];

/** The key of the digests of erased subjects, which an erasure makes. */
export const erasedSubjectKeys = defineFamily({
  name: 'erasedSubjectKeys',
  number: 116,
  key: [],
  layout: jsonLayout<Keys>(2),
  sealedBy: 'tenant',
  owner: 'tenant',
  exported: { not: 'secret' },
  erased: 'kept',
  counts: null,
  remember: true,
});

/** Erased subjects that were not admitted anew, by keyed digest. */
export const erasedSubjects = defineFamily({
  name: 'erasedSubjects',
  number: 117,
  key: ['digest'],
  layout: jsonLayout<null>(1),
  sealedBy: null,
  owner: 'tenant',
  exported: { not: 'authority' },
  erased: 'kept',
  counts: null,
});

/** A subject of a tenant. */
interface NamedSubject {
  readonly tenantId: string;
  readonly subjectId: string;
}

/** A refused id, as a ledger keeps it: the key and the digest in base64url. */
export type RefusedId = readonly [key: string, digest: string];

/** Returns whether a subject was erased, or is being erased, and was not admitted anew. */
export function isErasedSubject(tx: ReadTx, tenantId: string, subjectId: string): boolean {
  return refusedIdsOf(tx, { tenantId, subjectId }).length > 0;
}

/** Returns under which keys a subject is refused. */
export function refusedIdsOf(tx: ReadTx, { tenantId, subjectId }: NamedSubject): RefusedId[] {
  return (erasedSubjectKeys.get(tx, tenantId) ?? [])
    .map((key): RefusedId => [key, digestOf(key, subjectId)])
    .filter(([, digest]) => erasedSubjects.has(tx, tenantId, bytesOf(digest)));
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
  const [key = newKey] = erasedSubjectKeys.get(tx, tenantId) ?? [];
  putRefusedId(tx, tenantId, [key, digestOf(key, subjectId)]);
}

/** Refuses an id from now on that only its digest names. */
export function putRefusedId(tx: WriteTx, tenantId: string, [key, digest]: RefusedId): void {
  const known = erasedSubjectKeys.get(tx, tenantId) ?? [];
  if (!known.includes(key)) erasedSubjectKeys.put(tx, [...known, key], tenantId);
  erasedSubjects.put(tx, null, tenantId, bytesOf(digest));
}

/**
 * Admits a subject anew if it was erased. Returns whether it was.
 *
 * @throws {AgentkeepError} `erasure_in_progress`
 */
export function admitErasedSubject(tx: WriteTx, { tenantId, subjectId }: NamedSubject): boolean {
  refuseErasedSubject(tx, tenantId, subjectId);
  const refused = refusedIdsOf(tx, { tenantId, subjectId });
  for (const [, digest] of refused) tx.remove(erasedSubjects.keyOf(tenantId, bytesOf(digest)));
  return refused.length > 0;
}

/**
 * Refuses to act for an erased subject that was not admitted anew.
 *
 * @throws {AgentkeepError} `subject_erased`
 */
export function requireAdmitted(tx: ReadTx, tenantId: string, subjectId: string): void {
  if (isErasedSubject(tx, tenantId, subjectId)) throw new AgentkeepError('subject_erased');
}

function digestOf(key: string, subjectId: string): string {
  return hmacSha256(Buffer.from(key, 'base64url'))(subjectId, 'base64url');
}

const bytesOf = (digest: string): Uint8Array => Buffer.from(digest, 'base64url');
