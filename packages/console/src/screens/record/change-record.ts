/** Changes one record, or proposes the change where the caller may only propose. */
import type { Agent, MemoryRecord, Receipt, RecordInput } from '@agentkeep/client';
import { memoryOf } from '../../scopes/scope-agent.js';
import type { ShownScope } from '../../scopes/scope-query.js';
import { type Caller, may } from '../../session/caller.js';
import { isRefusal } from '../../session/refusals.js';
import { readNewest } from './read-newest.js';

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
export async function storeRecord(
  agent: Agent,
  changing: ChangingCaller,
  { base, record: given, name }: StoredRecord,
): Promise<Receipt> {
  const { caller, shown } = changing;
  const stated = given.supersedes ?? (await endedBy(agent, changing, base));
  const record = stated.length === 0 ? given : { ...given, supersedes: stated };
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

/** Lets a record that stays end another one, which was seen at its revision. */
export async function supersedeRecord(
  agent: Agent,
  changing: ChangingCaller,
  { kept, ended }: { readonly kept: MemoryRecord; readonly ended: MemoryRecord },
): Promise<Receipt> {
  const before = await endedBy(agent, changing, kept);
  const supersedes = [...before, { record_id: ended.record_id, revision: ended.revision }];
  return storeRecord(agent, changing, {
    ...{ base: kept, name: kept.name },
    record: { ...statedBy(kept), supersedes },
  });
}

/** Returns what a record states of itself: all but the record that ended it. */
function statedBy({ payload }: MemoryRecord): RecordInput {
  const { episode_type, content, event_time_millis, valid_until_millis, tags, metadata } = payload;
  const { source, derived_from } = payload;
  return {
    ...{ episode_type, content, event_time_millis, valid_until_millis, tags, metadata },
    ...(source === undefined ? {} : { source }),
    ...(derived_from === undefined ? {} : { derived_from }),
  };
}

/**
 * Returns what a record states as superseded, without records that were deleted or made to hold
 * again meanwhile: to state those once more would be refused, or end them once more.
 */
async function endedBy(
  agent: Agent,
  { caller, shown }: ChangingCaller,
  base: MemoryRecord | undefined,
): Promise<NonNullable<RecordInput['supersedes']>> {
  const memory = memoryOf(agent, shown, caller.credential?.spec.subject_id);
  const stated = base?.payload.supersedes ?? [];
  const present = await Promise.all(
    stated.map((each) =>
      readNewest(memory, each.record_id).catch((error: unknown) => {
        if (isRefusal(error, 'record_not_found')) return undefined;
        throw error;
      }),
    ),
  );
  return stated.filter((_each, at) => present[at]?.payload.superseded_by === base?.record_id);
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
