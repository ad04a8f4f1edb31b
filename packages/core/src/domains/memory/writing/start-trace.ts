/** Begins to trace what was derived from a record that a command deletes or redacts. */
import type { WriteTx } from '../../../storage/store/store.js';
import { startTrace } from '../record/trace-store.js';
import type { SourcedChange } from './required-sources.js';
import type { Outcome } from './memory-write.js';

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
