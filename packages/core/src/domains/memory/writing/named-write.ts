/** The writes of changes by name: put and remove (docs/contract/memory.md#mem-81). */
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import type { ReadTx } from '../../../storage/store/store.js';
import type { CurrentRecord } from '../revision/history-write.js';
import { copyNamed } from '../record/memory-store.js';
import {
  type ChangeOf,
  contentOf,
  createdRecord,
  deletedRecord,
  type MemoryWrite,
  replacedRecord,
  withDefaultEnd,
  type WriteContext,
} from './memory-write.js';
import { isVisible } from '../record/record-layout.js';
import { isPurgeDue, type Retention } from '../retention/retention-policy.js';
import { retentionOf } from '../retention/retention-store.js';

/** Prepares the creation or replacement of the record of a name. */
export function putWrite(change: ChangeOf<'put'>, context: WriteContext): MemoryWrite {
  const content = contentOf(change.record, context);
  // Made before the body, which may run more than once.
  const newId = context.newId();
  return (tx) => {
    const retention = retentionOf(tx, context.namespace);
    const current = expectedRecord(tx, change, retention, context);
    if (current !== undefined) return replacedRecord(tx, current, content, { retention, context });
    const limited = withDefaultEnd(content, retention, context.nowMs);
    return createdRecord(newId, limited, change.name, context);
  };
}

/** Prepares the deletion of the record of a name. */
export function removeWrite(change: ChangeOf<'remove'>, context: WriteContext): MemoryWrite {
  return (tx) => {
    const retention = retentionOf(tx, context.namespace);
    const current = expectedRecord(tx, change, retention, context);
    if (current === undefined) throw new AgentkeepError('record_not_found');
    return deletedRecord(current, retention, context);
  };
}

/** Returns the record with a name, expired or not, unless it is gone. */
export function namedRecord(
  tx: ReadTx,
  name: string,
  retention: Retention,
  { namespace, nowMs }: Pick<WriteContext, 'namespace' | 'nowMs'>,
): CurrentRecord | undefined {
  const current = copyNamed(tx, namespace, name);
  const isGone = current === undefined || isPurgeDue(current.value, retention, nowMs);
  return isGone ? undefined : { namespace, ...current };
}

/** Returns the record of the name, if it is as expected. Revision 0 expects no visible record. */
function expectedRecord(
  tx: ReadTx,
  { name, expected_revision: expected }: ChangeOf<'put'> | ChangeOf<'remove'>,
  retention: Retention,
  context: WriteContext,
): CurrentRecord | undefined {
  const current = namedRecord(tx, name, retention, context);
  if (expected === null) return current;
  if (expected === 0) {
    if (current !== undefined && isVisible(current.value, context.nowMs)) {
      throw new AgentkeepError('revision_conflict');
    }
    return current;
  }
  if (current === undefined) throw new AgentkeepError('record_not_found');
  if (current.value.revision !== expected) throw new AgentkeepError('revision_conflict');
  return current;
}
