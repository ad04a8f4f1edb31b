/** Reads one revision of a record: by its number, or the one that was current at a time. */
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { QUERY_SLICE_RECORD_BYTES } from '../../../contract/limits.js';
import type { CallRequest } from '../../../kernel/operation/requests.js';
import type { InputSchemas } from '../../../kernel/input/input-rules.js';
import type { ReadTx } from '../../../storage/store/store.js';
import type { Namespace } from '../../../kernel/access/namespace.js';
import type { CurrentRecord } from './history-write.js';
import { withLostSources } from '../record/lost-sources.js';
import { copyRecord } from '../record/memory-store.js';
import type { StoredRecord } from '../record/record-layout.js';
import {
  isContentKept,
  isRevisionKept,
  type Retention,
  stateOf,
} from '../retention/retention-policy.js';
import { retentionOf } from '../retention/retention-store.js';
import { findRevision, newestRevisions } from './revision-store.js';
import type { StoredRevision } from './revision-layout.js';

/** Revisions that one slice reads. */
const SLICE_REVISIONS = 32;

/** Identifies a record, with the whole namespace. */
export interface RevisedRecord {
  readonly namespace: Namespace;
  readonly recordId: string;
}

/** A record that has a history, and how long that is kept. */
export interface RecordHistory {
  readonly current: CurrentRecord;
  readonly retention: Retention;
}

/**
 * Returns a record of which revisions can be shown: it is not deleted, or its content is kept.
 *
 * @throws {AgentkeepError} `record_not_found`
 */
export function recordHistory(
  tx: ReadTx,
  { namespace, recordId }: RevisedRecord,
  nowMs: number,
): RecordHistory {
  const retention = retentionOf(tx, namespace);
  const found = copyRecord(tx, namespace, recordId);
  if (found === undefined || !isContentKept(found.value, retention, nowMs)) {
    throw new AgentkeepError('record_not_found');
  }
  return { current: { namespace, recordId, ...found }, retention };
}

/** Returns whether a superseded revision of a record is kept. */
export function isShown(
  { supersededAtMillis, record: { revision } }: StoredRevision,
  { current, retention }: RecordHistory,
  nowMs: number,
): boolean {
  return isRevisionKept({ revision, supersededAtMillis }, stateOf(current.value), retention, nowMs);
}

/**
 * Returns a revision by its number, expired or not.
 *
 * @throws {AgentkeepError} `record_not_found` when it isn't kept or has no payload.
 */
export function readRevision(
  tx: ReadTx,
  recordKey: RevisedRecord,
  revision: number,
  nowMs: number,
): StoredRecord {
  const history = recordHistory(tx, recordKey, nowMs);
  const { value } = history.current;
  const shown = (record: StoredRecord) =>
    withLostSources(tx, recordKey.namespace, recordKey.recordId, withPayload(record));
  if (revision === value.revision) return shown(value);
  const found = findRevision(tx, recordKey, revision);
  if (found === undefined || !isShown(found, history, nowMs)) {
    throw new AgentkeepError('record_not_found');
  }
  return shown(found.record);
}

/**
 * Returns the revision that was current at a time, and neither deleted nor expired then. Reads in
 * slices.
 *
 * @throws {AgentkeepError} `record_not_found` when there was none, or it isn't kept.
 */
export async function revisionAsOf(
  request: Pick<CallRequest<InputSchemas>, 'runtime' | 'nowMs' | 'turn'>,
  recordKey: RevisedRecord,
  asOfMillis: number,
): Promise<StoredRecord> {
  const { runtime, nowMs } = request;
  let before: number | undefined;
  for (;;) {
    const from = before;
    const slice = await runtime.store.read((tx) =>
      sliceAsOf(tx, recordKey, { asOfMillis, nowMs, from }),
    );
    if (slice.found !== undefined) return validAt(slice.found, asOfMillis);
    before = slice.before;
    if (before === undefined) throw new AgentkeepError('record_not_found');
    await request.turn();
  }
}

/** The revision of the time, or the one before which to go on; neither where there is none. */
interface AsOfSlice {
  readonly found?: StoredRecord;
  readonly before?: number;
}

function sliceAsOf(
  tx: ReadTx,
  recordKey: RevisedRecord,
  at: { readonly asOfMillis: number; readonly nowMs: number; readonly from: number | undefined },
): AsOfSlice {
  const history = recordHistory(tx, recordKey, at.nowMs);
  const { value } = history.current;
  const shown = (record: StoredRecord) =>
    withLostSources(tx, recordKey.namespace, recordKey.recordId, record);
  if (value.modifiedAtMillis <= at.asOfMillis) return { found: shown(value) };
  const before = Math.min(at.from ?? Infinity, value.revision);
  const part = { before, limit: SLICE_REVISIONS, bytes: QUERY_SLICE_RECORD_BYTES };
  const { found, hasMore } = newestRevisions(tx, recordKey, part);
  for (const { value: revision } of found) {
    if (!isShown(revision, history, at.nowMs)) return {};
    if (revision.record.modifiedAtMillis <= at.asOfMillis) return { found: shown(revision.record) };
  }
  const last = found.at(-1)?.value.record.revision;
  return hasMore && last !== undefined ? { before: last } : {};
}

function withPayload(record: StoredRecord): StoredRecord {
  if (record.payload === null) throw new AgentkeepError('record_not_found');
  return record;
}

function validAt(record: StoredRecord, atMillis: number): StoredRecord {
  const end = withPayload(record).payload?.valid_until_millis ?? null;
  if (end !== null && atMillis >= end) throw new AgentkeepError('record_not_found');
  return record;
}
