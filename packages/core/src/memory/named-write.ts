/** The writes of changes by name: put and remove (docs/contract/memory.md#mem-81). */
import { AgentkeepError } from '../contract/errors/agentkeep-error.js';
import type { ReadTx } from '../storage/store/store.js';
import { findNamed, type NamedRecord } from './memory-store.js';
import {
  type ChangeOf,
  contentOf,
  createdRecord,
  deletedRecord,
  type MemoryWrite,
  replacedRecord,
  type WriteContext,
} from './memory-write.js';
import { isVisible } from './record-layout.js';

/** Prepares the creation or replacement of the record of a name. */
export function putWrite(change: ChangeOf<'put'>, context: WriteContext): MemoryWrite {
  const content = contentOf(change.record);
  // Made before the body, which may run more than once.
  const newId = context.newId();
  return (tx) => {
    const current = expectedRecord(tx, change, context);
    if (current === undefined) return createdRecord(newId, content, change.name, context);
    return replacedRecord(current.recordId, current.record, content, context);
  };
}

/** Prepares the deletion of the record of a name. */
export function removeWrite(change: ChangeOf<'remove'>, context: WriteContext): MemoryWrite {
  return (tx) => {
    const current = expectedRecord(tx, change, context);
    if (current === undefined) throw new AgentkeepError('record_not_found');
    return deletedRecord(current.recordId, current.record, context);
  };
}

/** Returns the record of the name, if it is as expected. Revision 0 expects no visible record. */
function expectedRecord(
  tx: ReadTx,
  { name, expected_revision: expected }: ChangeOf<'put'> | ChangeOf<'remove'>,
  { namespace, nowMs }: WriteContext,
): NamedRecord | undefined {
  const current = findNamed(tx, namespace, name);
  if (expected === null) return current;
  if (expected === 0) {
    if (current !== undefined && isVisible(current.record, nowMs)) {
      throw new AgentkeepError('revision_conflict');
    }
    return current;
  }
  if (current === undefined) throw new AgentkeepError('record_not_found');
  if (current.record.revision !== expected) throw new AgentkeepError('revision_conflict');
  return current;
}
