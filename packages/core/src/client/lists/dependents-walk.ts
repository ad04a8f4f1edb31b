/** Goes on with the trace of a deletion or redaction to its end. */
import type { ScopeInput } from '../../kernel/access/scope.js';
import { CONTRACT_VERSION } from '../../contract/version.js';
import type { Dependent, TracePage } from '../../domains/memory/dependents/schema.js';
import type { Receipt } from '../../domains/memory/documents/schema.js';
import type { CallOperation, CallOptions, PartsOf } from '../call.js';

/** Yields what was derived from an erased revision, once all of it was found and dealt with. */
export async function* tracedDependents(
  call: CallOperation,
  scope: ScopeInput,
  { record_id: id, revision }: Pick<Receipt, 'record_id' | 'revision'>,
  { signal }: CallOptions,
): AsyncGenerator<Dependent, void> {
  let cursor: string | null = null;
  let isDone = false;
  while (!isDone) {
    const document = { contract_version: CONTRACT_VERSION, scope, revision, cursor };
    const parts: PartsOf<'traceMemoryDependents'> = { id, document };
    const page: TracePage = (await call('traceMemoryDependents', parts, { signal })).page;
    const { state, dependents, next_cursor } = page;
    yield* dependents;
    isDone = state === 'finished' && next_cursor === null;
    cursor = next_cursor ?? cursor;
  }
}
