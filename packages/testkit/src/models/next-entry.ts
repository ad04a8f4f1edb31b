/** A record with one revision more, from the contract alone (docs/contract/history.md). */
import type { Credential, MemoryRecord } from '@agentkeep/core';
import { type Entry, keptUntil, type ModelRecord, type ModelRetention } from './memory-history.js';

/** The circumstances of a change. */
export interface Made {
  readonly space: string;
  readonly author: MemoryRecord['author'];
  readonly now: number;
  readonly madeId: string | undefined;
  /** Of the command or batch. */
  readonly key: string;
  readonly retention: ModelRetention;
  /** Whether superseded revisions are kept for branches. */
  readonly isHeld: boolean;
}

/** Returns a record after a change. */
export function nextEntry(
  current: Entry | undefined,
  payload: ModelRecord['payload'],
  made: Made,
  name: string | undefined,
): Entry {
  const { author, now, space, key, retention, madeId = '', isHeld } = made;
  const changed = { schema_version: 1, modified_at_millis: now, author, payload } as const;
  const kept = payload === null || name === undefined ? {} : { name };
  if (current === undefined) {
    const first = { record_id: madeId, revision: 1, created_at_millis: now };
    return { space, record: { ...changed, ...first, ...kept }, key, past: [], keptUntil: null };
  }
  const { record_id, created_at_millis } = current.record;
  const revision = current.record.revision + 1;
  const record = { ...changed, record_id, revision, created_at_millis, ...kept };
  const before = { record: current.record, key: current.key, supersededAt: now, redacted: null };
  const until = payload === null ? keptUntil(made) : null;
  const isRevisionKept = retention.revisions_max > 0 || isHeld;
  const isKept = payload === null ? until !== null : isRevisionKept;
  const older = payload === null && until === null ? [] : current.past;
  return { space, record, key, past: isKept ? [...older, before] : older, keptUntil: until };
}

/** Returns the author that a credential is. */
export function authorOf({ id, spec }: Credential): MemoryRecord['author'] {
  return { credential_id: id, subject_id: spec.subject_id };
}
