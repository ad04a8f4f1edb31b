/**
 * The rules for any memory change: which sources it may state, how its write is prepared, whether
 * it frees space, waits for review (docs/contract/review.md#rev-20) or begins a trace, and how
 * audit events name it (docs/contract/audit.md#aud-85).
 */
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import type { ErrorCode } from '../../../contract/errors/catalogue.js';
import { scopeOfParts } from '../../../kernel/access/covered-scope.js';
import { coversScope } from '../../../kernel/access/grant-policy.js';
import { baseOf, branchOf, type Namespace, namespaceOf } from '../../../kernel/access/namespace.js';
import type { ActingCredential } from '../../../kernel/access/principal.js';
import type { MemoryScope } from '../../../kernel/access/scope.js';
import type { NamedChange } from '../../../kernel/audit/call-events.js';
import { allOrFirstFailure } from '../../../storage/store/all-or-first-failure.js';
import type { ReadTx, WriteTx } from '../../../storage/store/store.js';
import type { SourceRevision } from '../documents/lineage-schema.js';
import type { MemoryChange } from '../documents/schema.js';
import type { RevisedKey } from '../record/keyed-record.js';
import type { StoredReceipt } from '../record/receipt-store.js';
import { startTrace } from '../record/trace-store.js';
import { requiresReview } from '../retention/retention-store.js';
import { readRevision } from '../revision/read-revision.js';
import {
  createWrite,
  deleteWrite,
  type MemoryWrite,
  type Outcome,
  updateWrite,
  type WriteContext,
} from './memory-write.js';
import { putWrite, removeWrite } from './named-write.js';
import { redactWrite, restoreWrite } from './revision-write.js';
import { superseding } from './superseding-write.js';

/** A change of a record, its namespace and the path of the change for errors. */
interface SourcedChange {
  readonly namespace: Namespace;
  readonly operation: MemoryChange;
  readonly path: string;
  readonly nowMs: number;
}

/**
 * Returns the sources that a change states; none where it states none.
 *
 * @throws {AgentkeepError} `forbidden` for a scope that the writer may not read, and
 * `record_not_found` for a revision that isn't there; both name the member.
 */
export function requireSources(
  tx: ReadTx,
  writer: ActingCredential,
  { namespace, operation, path, nowMs }: SourcedChange,
): readonly RevisedKey[] {
  const stated = 'record' in operation ? operation.record.derived_from : undefined;
  if (stated === undefined) return [];
  return allOrFirstFailure(stated, (each, index) => {
    const member = `${path}.record.derived_from[${index}]`;
    return requireSource(tx, writer, { namespace, stated: each, member, nowMs });
  });
}

function requireSource(
  tx: ReadTx,
  writer: ActingCredential,
  {
    namespace: own,
    stated,
    member,
    nowMs,
  }: Omit<SourcedChange, 'operation' | 'path'> & {
    readonly stated: SourceRevision;
    readonly member: string;
  },
): RevisedKey {
  const { record_id: recordId, revision } = stated;
  // What is in a branch has no revision that its scope would know.
  const outside = baseOf(own);
  const scope = stated.scope ?? scopeOfParts(outside.parts);
  const isReader = writer.spec.capabilities.includes('memory_read');
  if (!isReader || !coversScope(writer.spec, scope)) {
    throw refused('forbidden', member, 'a revision in a scope that the writer may read');
  }
  const namespace = stated.scope === null ? outside : namespaceOf(writer, scope);
  try {
    readRevision(tx, { namespace, recordId }, revision, nowMs);
  } catch (cause) {
    if (!(cause instanceof AgentkeepError) || cause.code !== 'record_not_found') throw cause;
    throw refused('record_not_found', member, 'a revision that is kept', cause);
  }
  return { digest: namespace.digest, recordId, revision };
}

function refused(code: ErrorCode, path: string, expected: string, cause?: unknown): AgentkeepError {
  return new AgentkeepError(code, { members: [{ path, expected }], cause });
}

/** Prepares the write of a change, with those of the records that it supersedes. */
export function writeOf(change: MemoryChange, context: WriteContext): MemoryWrite {
  const write = ownWriteOf(change, context);
  const superseded = 'record' in change ? change.record.supersedes : undefined;
  return superseded === undefined ? write : superseding(superseded, context, write);
}

function ownWriteOf(change: MemoryChange, context: WriteContext): MemoryWrite {
  switch (change.type) {
    case 'create':
      return createWrite(change, context);
    case 'update':
      return updateWrite(change, context);
    case 'delete':
      return deleteWrite(change, context);
    case 'put':
      return putWrite(change, context);
    case 'remove':
      return removeWrite(change, context);
    case 'restore':
      return restoreWrite(change, context);
    case 'redact':
      return redactWrite(change, context);
  }
}

/** Returns whether a change frees space, so that it is served above a storage quota. */
export function freesSpace({ type }: MemoryChange): boolean {
  return type === 'delete' || type === 'remove' || type === 'redact';
}

/** Returns whether the writes of a credential in a namespace are proposals. */
export function awaitsReview(
  tx: ReadTx,
  namespace: Namespace,
  { spec }: ActingCredential,
): boolean {
  if (branchOf(namespace.parts) !== undefined) return false;
  return !spec.capabilities.includes('memory_review') && requiresReview(tx, namespace);
}

/** Begins a trace in the transaction of a change, if the change asks for one. */
export function traceIfAsked(
  tx: WriteTx,
  { namespace, operation, nowMs }: SourcedChange,
  { recordId, revision, action }: Outcome,
): void {
  const mode = 'dependents' in operation ? operation.dependents : undefined;
  if (mode === undefined) return;
  const { tenantId, digest } = namespace;
  const root = { digest, recordId, revision };
  startTrace(tx, tenantId, root, { mode, isWhole: action === 'deleted', nowMs });
}

/** Returns what the event of a command names; a replay changed nothing. */
export function auditedChange(
  scope: MemoryScope,
  { recordId, revision, action }: Pick<StoredReceipt, 'recordId' | 'revision' | 'action'>,
  isReplay: boolean,
): NamedChange {
  const { project_id, mission_id, agent_id, visibility, branch } = scope;
  const base = { project_id, mission_id, agent_id, visibility };
  const named = branch === undefined ? base : { ...base, branch };
  const change = { record_id: recordId, revision, change: action, scope: named };
  const metadata = isReplay ? { ...change, replay: true } : change;
  return { resource: `record:${recordId}`, metadata };
}

/** Returns what the event names of a proposal that a call made; none for a replay. */
export function auditedWaiting(
  proposal: { readonly id: string } | undefined,
  isReplay: boolean,
): readonly NamedChange[] {
  return proposal === undefined || isReplay ? [] : [auditedProposal(proposal.id, 'proposed')];
}

/** Returns what the event of a change of a proposal names (docs/contract/audit.md#aud-112). */
export function auditedProposal(
  proposal: string,
  change: 'proposed' | 'rejected' | 'withdrawn' | 'merged',
): NamedChange {
  return { resource: `proposal:${proposal}`, metadata: { proposal, change } };
}
