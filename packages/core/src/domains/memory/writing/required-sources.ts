/** Requires the sources of a record, and traces what is made of them. */
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import type { ErrorCode } from '../../../contract/errors/catalogue.js';
import { scopeOfParts } from '../../../kernel/access/covered-scope.js';
import { coversScope } from '../../../kernel/access/grant-policy.js';
import { baseOf, type Namespace, namespaceOf } from '../../../kernel/access/namespace.js';
import type { ActingCredential } from '../../../kernel/access/principal.js';
import type { ReadTx, WriteTx } from '../../../storage/store/store.js';
import type { SourceRevision } from '../documents/lineage-schema.js';
import type { MemoryChange } from '../documents/schema.js';
import type { RevisedKey } from '../record/keyed-record.js';
import { startTrace } from '../record/trace-store.js';
import { readRevision } from '../revision/read-revision.js';
import type { Outcome } from './memory-write.js';

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
  return stated.map((each, index) => {
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
