/** Marks in the store of namespaces that are being erased. Nothing is written in them meanwhile. */
import { AgentkeepError } from '../contract/errors/agentkeep-error.js';
import { keyText } from '../storage/store/bytes.js';
import { trailingDigest } from '../storage/store/key.js';
import { keyspace } from '../storage/store/keyspace.js';
import { jsonLayout } from '../storage/store/layouts.js';
import type { ReadTx, WriteTx } from '../storage/store/store.js';
import { Subspace } from '../storage/store/subspace.js';
import { namespaceOf } from './namespace.js';
import type { ActingCredential } from './principal.js';
import type { Scope } from './scope.js';

/** The id of the erasure. */
const marks = new Subspace(keyspace.erasureMarks, jsonLayout<string>(1));

/** The subspace of marks, by its name in the key space. */
export const erasureMarkSubspaces = { erasureMarks: marks };

/** Marks a tenant that is being erased. It is the digest of no namespace. */
export const TENANT_MARK: Uint8Array = new Uint8Array(32);

/** Returns the erasure that removes a namespace, or `undefined`. */
export function findErasureMark(
  tx: ReadTx,
  tenantId: string,
  digest: Uint8Array,
): string | undefined {
  return marks.get(tx, tenantId, digest);
}

/** Marks a namespace. */
export function putErasureMark(
  tx: WriteTx,
  erasureId: string,
  tenantId: string,
  digest: Uint8Array,
): void {
  marks.put(tx, erasureId, tenantId, digest);
}

/** Takes the mark of a namespace away. */
export function removeErasureMark(tx: WriteTx, tenantId: string, digest: Uint8Array): void {
  tx.remove(marks.keyOf(tenantId, digest));
}

/** Returns the next namespace, in the order of digests, that an erasure removes. */
export function nextMarked(
  tx: ReadTx,
  tenantId: string,
  { erasureId, after }: { readonly erasureId: string; readonly after: Uint8Array | undefined },
): Uint8Array | undefined {
  const start: [Uint8Array] | undefined = after === undefined ? undefined : [after];
  for (const { key, value } of marks.rows(tx, tenantId, { prefix: [], after: start })) {
    if (value === erasureId) return trailingDigest(key);
  }
  return undefined;
}

/**
 * Refuses a tenant with an id of which the tenant before is being erased.
 *
 * @throws {AgentkeepError} `erasure_in_progress`
 */
export function refuseErasedTenant(tx: ReadTx, tenantId: string): void {
  if (marks.has(tx, tenantId, TENANT_MARK)) throw new AgentkeepError('erasure_in_progress');
}

/**
 * Refuses a write in a scope that is being erased.
 *
 * @throws {AgentkeepError} `erasure_in_progress`
 */
export function refuseErasedScopes(
  tx: ReadTx,
  credential: ActingCredential,
  scopes: readonly Scope[],
): void {
  const namespaces = scopes.map((scope) => namespaceOf(credential, scope));
  // A batch names the same scope many times.
  const distinct = new Map(namespaces.map((each) => [keyText(each.digest), each]));
  for (const { tenantId, digest } of distinct.values()) {
    if (marks.has(tx, tenantId, digest)) throw new AgentkeepError('erasure_in_progress');
  }
}
