/** Prepares lines of scopes, which say where the lines behind them belong. */
import { isErasedSubject } from '../../kernel/erased/erased-subject-store.js';
import {
  branchOf,
  ensureNamespace,
  type Namespace,
  namespaceOfParts,
  type NamespaceParts,
} from '../../kernel/access/namespace.js';
import { asBuffer } from '../../storage/store/bytes.js';
import type { ReadTx, WriteTx } from '../../storage/store/store.js';
import type { BranchLines } from './domain-lines.js';
import type { ScopeLine } from './line-schemas.js';
import type { Importing } from './stored-line.js';

/** Returns the namespace of a line, or `undefined` when its digest is another one. */
export function namespaceOfLine(line: ScopeLine, tenantId: string): Namespace | undefined {
  const { scope, subject_id: owner, namespace: shown, branch } = line;
  const { project_id, mission_id, agent_id, visibility } = scope;
  if ((visibility === 'private') !== (owner !== null)) return undefined;
  const base = [project_id, mission_id, agent_id, visibility, owner] as const;
  const parts: NamespaceParts = branch === undefined ? base : [...base, branch.toLowerCase()];
  const namespace = namespaceOfParts(tenantId, parts);
  return asBuffer(namespace.digest).toString('base64url') === shown ? namespace : undefined;
}

/** Returns whether a scope is private to an erased subject that was not admitted anew. */
export function isOfErased(tx: ReadTx, { tenantId, parts }: Namespace): boolean {
  const owner = parts[4];
  return owner !== null && isErasedSubject(tx, tenantId, owner);
}

/** Stores a scope. One in a branch is stored while the branch is there. */
export function storeScope(
  tx: WriteTx,
  namespace: Namespace,
  importing: Importing,
  branches: BranchLines,
): void {
  const branch = branchOf(namespace.parts);
  if (!isThere(tx, namespace, importing, branches)) return;
  ensureNamespace(tx, namespace);
  if (branch !== undefined) branches.noteSpace(tx, namespace, branch);
}

/** Returns whether the branch of a namespace is there, if it has one. */
export function isThere(
  tx: ReadTx,
  namespace: Namespace,
  importing: Importing,
  branches: BranchLines,
): boolean {
  const id = branchOf(namespace.parts);
  if (id === undefined || importing.rehearsed.has(id)) return true;
  return branches.isThere(tx, namespace, id, importing);
}
