/** Prepares lines of scopes and of branches, which say where the lines behind them belong. */
import { refuseErased, refuseErasedSubject } from '../../kernel/access/erasure-mark-store.js';
import {
  branchOf,
  type Namespace,
  namespaceOfParts,
  type NamespaceParts,
} from '../../kernel/access/namespace.js';
import { ensureNamespace } from '../../kernel/access/namespace-store.js';
import {
  findStoredBranch,
  holdRevisions,
  type KeyedBranch,
  noteBranchSpace,
  putBranch,
  type StoredBranch,
} from '../../domains/memory/branch/branch-store.js';
import { BRANCH_SECONDS_MAX } from '../../domains/memory/branch/branch-policy.js';
import { hasEnded } from '../../domains/memory/branch/ended-store.js';
import { isLive, isOver } from '../../domains/memory/branch/live-branch.js';
import { isErasedSubject } from '../../domains/tenancy/admission/erased-subject-store.js';
import { decideBranchIn } from '../../domains/memory/branching/create-memory-branch.js';
import { asBuffer } from '../../storage/store/bytes.js';
import type { ReadTx, WriteTx } from '../../storage/store/store.js';
import type { ErasedSince } from '../erasure/erased-since.js';
import type { Importer, StoreLine } from './import-records.js';
import type { BranchLine, ScopeLine } from './line-schemas.js';

/** Where and when lines are imported. */
export interface Importing extends Importer {
  readonly tenantId: string;
  /** The scopes that lines named so far, by the digest that they show. */
  readonly scopes: Map<string, Namespace>;
  /** The branches that a dry run would have stored. */
  readonly rehearsed: Set<string>;
  /** What was erased, and when. */
  readonly erased: ErasedSince;
}

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
export function storeScope(tx: WriteTx, namespace: Namespace, importing: Importing): void {
  const branch = branchOf(namespace.parts);
  if (!isThere(tx, namespace, importing)) return;
  ensureNamespace(tx, namespace);
  if (branch !== undefined) noteBranchSpace(tx, namespace, branch);
}

/** Returns whether the branch of a namespace is there, if it has one. */
export function isThere(
  tx: ReadTx,
  { tenantId, parts }: Namespace,
  { rehearsed, nowMs }: Importing,
): boolean {
  const id = branchOf(parts);
  if (id === undefined || rehearsed.has(id)) return true;
  const branch = findStoredBranch(tx, tenantId, id);
  return branch !== undefined && isLive(branch, nowMs) && isOver(branch, parts);
}

/** Prepares a branch, over its scopes as they are at a position of the tenant's changes. */
export function branchWrite(
  line: BranchLine,
  position: Uint8Array,
  { tenantId, nowMs, erased }: Importing,
): StoreLine {
  const branch: KeyedBranch = {
    id: line.id.toLowerCase(),
    name: line.name,
    scopes: line.scopes.map(
      ({ project_id, mission_id, agent_id, visibility }) =>
        [
          project_id,
          mission_id,
          agent_id,
          visibility,
          // A branch over a private scope is its author's.
          visibility === 'private' ? line.author.subject_id : null,
        ] as const,
    ),
    position: Buffer.from(position).toString('hex'),
    createdAtMillis: line.created_at_millis,
    endsAtMillis: Math.min(line.ends_at_millis, nowMs + 1_000 * BRANCH_SECONDS_MAX),
    purpose: line.purpose,
    author: line.author,
  };
  return (tx) => {
    refuseErased(tx, tenantId, branch.scopes);
    refuseErasedSubject(tx, tenantId, branch.author.subject_id);
    const { subject_id: maker } = branch.author;
    const { createdAtMillis: at } = branch;
    const isErased = erased.hasSubject(maker, at) || isErasedSubject(tx, tenantId, maker);
    if (isErased || branch.scopes.some((parts) => erased.has(parts, at))) return 'erased';
    const known = findStoredBranch(tx, tenantId, branch.id);
    const isOverdue = !isLive(known ?? branch, nowMs);
    if (isOverdue || hasEnded(tx, tenantId, branch.id)) return 'branch_ended';
    if (known !== undefined) return isSame(known, branch) ? 'unchanged' : 'conflict';
    const decision = decideBranchIn(tx, tenantId, branch, nowMs);
    if (decision !== 'made') return decision === 'too_many' ? 'branch_limit' : decision;
    putBranch(tx, tenantId, branch);
    for (const parts of branch.scopes) holdRevisions(tx, tenantId, parts, branch.endsAtMillis);
    return 'stored';
  };
}

/** Whether a stored branch is the one of a line, which may name some of its scopes only. */
function isSame(known: StoredBranch, line: KeyedBranch): boolean {
  const isMade = known.name === line.name && known.createdAtMillis === line.createdAtMillis;
  const isBy = known.author.subject_id === line.author.subject_id;
  return isMade && isBy && line.scopes.every((parts) => isOver(known, parts));
}
