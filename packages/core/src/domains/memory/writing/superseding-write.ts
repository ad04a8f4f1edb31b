/**
 * The writes of the records that a new one supersedes: a revision of each that ends now and names
 * its successor (docs/contract/superseding.md).
 */
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import type { ErrorCode } from '../../../contract/errors/catalogue.js';
import type { ReadTx } from '../../../storage/store/store.js';
import type { RecordPayload } from '../documents/schema.js';
import { searchPartsOf } from '../record/search-entry.js';
import { findSources } from '../record/source-store.js';
import { retentionOf } from '../retention/retention-store.js';
import {
  type MemoryWrite,
  type PlannedWrite,
  replacedRecord,
  storedRecord,
  type WriteContext,
} from './memory-write.js';

type Superseded = NonNullable<RecordPayload['supersedes']>[number];

/** Returns the write of a change with those of the records that it supersedes. */
export function superseding(
  superseded: readonly Superseded[],
  context: WriteContext,
  write: MemoryWrite,
): MemoryWrite {
  return (tx) => {
    const planned = write(tx);
    const { recordId } = planned.outcome;
    const ended = superseded.flatMap((each, index) => {
      const member = `operation.record.supersedes[${index}]`;
      return endedRecord(tx, each, { context, member, successor: recordId }) ?? [];
    });
    return { ...planned, ended };
  };
}

/** Returns a payload that ends now, unless it ended before, and names the record that ended it. */
function endedPayload(payload: RecordPayload, successor: string, nowMs: number): RecordPayload {
  const end = Math.min(payload.valid_until_millis ?? Infinity, nowMs);
  return { ...payload, valid_until_millis: end, superseded_by: successor };
}

/**
 * Returns the payload of a branch as a merge writes it: what a successor ended there ends with the
 * merge, since the scope knew nothing of it before.
 */
export function endedByMerge(
  payload: RecordPayload,
  { endedAtMillis, nowMs }: { readonly endedAtMillis: number; readonly nowMs: number },
): RecordPayload {
  const isEnded = payload.superseded_by !== undefined;
  if (!isEnded || payload.valid_until_millis !== endedAtMillis) return payload;
  return { ...payload, valid_until_millis: nowMs };
}

/** Returns the write of one ended record; `undefined` for one that its successor ended before. */
function endedRecord(
  tx: ReadTx,
  { record_id: recordId, revision }: Superseded,
  at: {
    readonly context: WriteContext;
    readonly member: string;
    readonly successor: string;
  },
): PlannedWrite | undefined {
  const { context, member, successor } = at;
  const { namespace, nowMs } = context;
  if (recordId === successor) throw refused('invalid_request', member, 'another record');
  const retention = retentionOf(tx, namespace);
  const current = named(member, () => storedRecord(tx, recordId, retention, context));
  const { payload } = current.value;
  if (payload === null) throw refused('record_not_found', member, FOUND);
  // Whatever the stated revision: a branch counted its own before it was merged.
  if (payload.superseded_by === successor) return undefined;
  if (current.value.revision !== revision) {
    throw refused('revision_conflict', member, 'the current revision of the record');
  }
  const ended = endedPayload(payload, successor, nowMs);
  const content = { payload: ended, parts: searchPartsOf(ended) };
  const { tenantId, digest } = namespace;
  const sources = findSources(tx, tenantId, { digest, recordId, revision });
  return { ...replacedRecord(tx, current, content, { retention, context }), sources };
}

const FOUND = 'a record of the scope that is not deleted';

function named<T>(member: string, run: () => T): T {
  try {
    return run();
  } catch (cause) {
    if (!(cause instanceof AgentkeepError) || cause.code !== 'record_not_found') throw cause;
    throw refused('record_not_found', member, FOUND, cause);
  }
}

function refused(code: ErrorCode, path: string, expected: string, cause?: unknown): AgentkeepError {
  return new AgentkeepError(code, { members: [{ path, expected }], cause });
}
