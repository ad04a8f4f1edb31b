/** Changes one record, or proposes the change where the caller may only propose. */
import type { Agent, MemoryRecord, Receipt, RecordInput } from '@agentkeep/client';
import { memoryOf } from '../../scopes/scope-agent.js';
import type { ShownScope } from '../../scopes/scope-query.js';
import { type Caller, may } from '../../session/caller.js';

/** Who changes a record, and where. */
interface ChangingCaller {
  readonly caller: Caller;
  readonly shown: ShownScope;
}

/** What is stored: over a record as it was seen, or a new one, which may have a name. */
export interface StoredRecord {
  readonly base: MemoryRecord | undefined;
  readonly record: RecordInput;
  readonly name: string | undefined;
}

/** Stores a record. A name is free when it is given: nothing is replaced by accident. */
export function storeRecord(
  agent: Agent,
  { caller, shown }: ChangingCaller,
  { base, record, name }: StoredRecord,
): Promise<Receipt> {
  if (!may(caller, 'memory_write')) {
    const place =
      base !== undefined
        ? ({ type: 'update', ...seen(base) } as const)
        : name === undefined
          ? ({ type: 'create' } as const)
          : ({ type: 'put', name, expected_revision: 0 } as const);
    return agent.proposals.propose(shown.scope, { ...place, record });
  }
  const memory = memoryOf(agent, shown, caller.credential?.spec.subject_id);
  if (base !== undefined) {
    return memory.update({ recordId: base.record_id, expectedRevision: base.revision }, record);
  }
  if (name === undefined) return memory.create(record);
  return memory.put(name, record, { expectedRevision: 0 });
}

/** Deletes a record as it was seen, with what was derived from it if `cascades`. */
export async function deleteRecord(
  agent: Agent,
  { caller, shown }: ChangingCaller,
  { record, cascades }: { readonly record: MemoryRecord; readonly cascades: boolean },
): Promise<Receipt> {
  if (!may(caller, 'memory_write')) {
    return agent.proposals.propose(shown.scope, { type: 'delete', ...seen(record) });
  }
  const memory = memoryOf(agent, shown, caller.credential?.spec.subject_id);
  const target = { recordId: record.record_id, expectedRevision: record.revision };
  const receipt = await memory.delete(target, cascades ? { dependents: 'cascade' } : {});
  if (!cascades || receipt.proposal !== undefined) return receipt;
  const dependents = memory.dependents(receipt);
  while ((await dependents.next()).done !== true);
  return receipt;
}

function seen({ record_id, revision }: MemoryRecord) {
  return { record_id, expected_revision: revision };
}
