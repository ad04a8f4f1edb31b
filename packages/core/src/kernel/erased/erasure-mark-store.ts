/**
 * Marks in the store of what is being erased: of the target, from the commit of the request to the
 * end, and of each namespace that an erasure removes. Nothing is written in a marked target.
 */
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import { trailingDigest } from '../../storage/store/key.js';
import { defineFamily } from '../../storage/store/family.js';
import { jsonLayout } from '../../storage/store/fields.js';
import type { ReadTx, WriteTx } from '../../storage/store/store.js';
import {
  type BaseParts,
  basePartsFor,
  namespaceOfParts,
  type NamespaceParts,
  scopePartsOf,
} from '../access/namespace.js';
import type { ActingCredential } from '../access/principal.js';
import type { MemoryScope } from '../access/scope.js';

/**
 * What is being erased: namespaces and targets, by digest. Values are the ids of the erasures, of
 * which several may be about the same.
 */
export const erasureMarks = defineFamily({
  name: 'erasureMarks',
  number: 111,
  key: ['digest'],
  layout: jsonLayout<readonly string[]>(2),
  sealedBy: null,
  owner: 'scope',
  exported: { not: 'working' },
  erased: 'removed',
  counts: null,
  traces: { mayLackNamespace: true },
});

/** Marks a tenant that is being erased. It is the digest of no namespace. */
export const TENANT_MARK: Uint8Array = new Uint8Array(32);

/** Stands where the id of a branch would. No branch has it as its id. */
const WHOLE = 'whole';

/**
 * Returns what marks a scope with its branches: of one subject, or of all if no subject is named.
 */
export function scopeMark(parts: NamespaceParts): Uint8Array {
  const [project, mission, agent, visibility, owner] = parts;
  return namespaceOfParts('', [project, mission, agent, visibility, owner, WHOLE]).digest;
}

/** Returns what marks a subject. No scope has an empty project. */
export function subjectMark(subjectId: string): Uint8Array {
  return scopeMark(['', null, '', 'private', subjectId]);
}

/** Returns whether an erasure removes what has a mark. */
export function isMarkedBy(
  tx: ReadTx,
  erasureId: string,
  tenantId: string,
  mark: Uint8Array,
): boolean {
  return erasureMarks.get(tx, tenantId, mark)?.includes(erasureId) === true;
}

/** Marks a namespace, a target or a tenant. */
export function putErasureMark(
  tx: WriteTx,
  erasureId: string,
  tenantId: string,
  mark: Uint8Array,
): void {
  const ids = erasureMarks.get(tx, tenantId, mark) ?? [];
  if (!ids.includes(erasureId)) erasureMarks.put(tx, [...ids, erasureId], tenantId, mark);
}

/** Takes a mark away, unless another erasure has it too. */
export function removeErasureMark(
  tx: WriteTx,
  erasureId: string,
  tenantId: string,
  mark: Uint8Array,
): void {
  const ids = erasureMarks.get(tx, tenantId, mark) ?? [];
  const others = ids.filter((id) => id !== erasureId);
  if (others.length === 0) tx.remove(erasureMarks.keyOf(tenantId, mark));
  else if (others.length < ids.length) erasureMarks.put(tx, others, tenantId, mark);
}

/** Returns the next mark of an erasure, in the order of digests. */
export function nextMarked(
  tx: ReadTx,
  tenantId: string,
  { erasureId, after }: { readonly erasureId: string; readonly after: Uint8Array | undefined },
): Uint8Array | undefined {
  const start: [Uint8Array] | undefined = after === undefined ? undefined : [after];
  for (const { key, value } of erasureMarks.rows(tx, tenantId, { prefix: [], after: start })) {
    if (value.includes(erasureId)) return trailingDigest(key);
  }
  return undefined;
}

/**
 * Refuses a tenant with an id of which the tenant before is being erased.
 *
 * @throws {AgentkeepError} `erasure_in_progress`
 */
export function refuseErasedTenant(tx: ReadTx, tenantId: string): void {
  if (erasureMarks.has(tx, tenantId, TENANT_MARK)) throw new AgentkeepError('erasure_in_progress');
}

/**
 * Refuses what a subject that is being erased does, or has proposed.
 *
 * @throws {AgentkeepError} `erasure_in_progress`
 */
export function refuseErasedSubject(tx: ReadTx, tenantId: string, subjectId: string): void {
  const isErased = erasureMarks.has(tx, tenantId, subjectMark(subjectId));
  if (isErased) throw new AgentkeepError('erasure_in_progress');
}

/** Returns whether a namespace is being erased: its scope, in branches too, or its subject. */
export function isBeingErased(tx: ReadTx, tenantId: string, parts: NamespaceParts): boolean {
  const owner = parts[4];
  return (
    isScopeErased(tx, tenantId, parts) ||
    (owner !== null && erasureMarks.has(tx, tenantId, subjectMark(owner)))
  );
}

function isScopeErased(tx: ReadTx, tenantId: string, parts: NamespaceParts): boolean {
  return (
    erasureMarks.has(tx, tenantId, scopeMark(parts)) ||
    (parts[4] !== null && erasureMarks.has(tx, tenantId, scopeMark(scopePartsOf(parts))))
  );
}

/**
 * Refuses a write in namespaces of which one is being erased.
 *
 * @throws {AgentkeepError} `erasure_in_progress`
 */
export function refuseErased(
  tx: ReadTx,
  tenantId: string,
  namespaces: readonly NamespaceParts[],
): void {
  const isErased = namespaces.some((parts) => isBeingErased(tx, tenantId, parts));
  if (isErased) throw new AgentkeepError('erasure_in_progress');
}

/**
 * Refuses a write in scopes of which one is being erased, and by a subject that is.
 *
 * @throws {AgentkeepError} `erasure_in_progress`
 */
export function refuseErasedScopes(
  tx: ReadTx,
  credential: ActingCredential,
  scopes: readonly MemoryScope[],
): void {
  if (scopes.length === 0) return;
  const { tenantId, spec } = credential;
  // A batch names the same scope many times. Private ones belong to the subject.
  const distinct = new Map<string, BaseParts>();
  for (const scope of scopes) {
    const parts = basePartsFor(credential, scope);
    distinct.set(JSON.stringify(parts), parts);
  }
  for (const parts of distinct.values()) {
    if (isScopeErased(tx, tenantId, parts)) throw new AgentkeepError('erasure_in_progress');
  }
  refuseErasedSubject(tx, tenantId, spec.subject_id);
}
