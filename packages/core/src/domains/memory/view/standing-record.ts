/** The content of a revision that stood at an earlier position, as far as it is still kept. */
import type { Namespace } from '../../../kernel/access/namespace.js';
import type { ReadTx } from '../../../storage/store/store.js';
import { findRecordMeasured } from '../record/memory-store.js';
import type { StoredRecord } from '../record/record-layout.js';
import type { StoredSearchEntry } from '../record/search-entry.js';
import {
  isContentKept,
  isRevisionKept,
  isSameRetention,
  revisionEnd,
  type Retention,
  stateOf,
} from '../retention/retention-policy.js';
import { findRevisionMeasured } from '../revision/revision-store.js';

/** What a view says of a changed record. */
export interface Standing {
  readonly recordId: string;
  /** Its search entry, tombstones included; null where it isn't there. */
  readonly entry: StoredSearchEntry | null;
  /** Whether the namespace itself has an entry of it now. */
  readonly isInBase: boolean;
  /** Whether it was there, and nothing of that is kept. */
  readonly isMissing?: boolean;
  /** The name that it has. */
  readonly name: string | null;
  readonly untilMillis: number;
}

/** What decides whether a revision may be shown. */
export interface Judgement {
  readonly retention: Retention;
  /** How many erasures had ended. Each may have removed what stood. */
  readonly erasures: number;
  readonly nowMs: number;
  /** Whether superseded revisions are shown whatever their age and number. */
  readonly isHeld: boolean;
}

/** What standings are judged by, apart from the time. */
export type Judge = Pick<Judgement, 'retention' | 'erasures'>;

/** Returns whether what one judge found holds for another one. */
export function isSameJudge(one: Judge, other: Judge): boolean {
  return one.erasures === other.erasures && isSameRetention(one.retention, other.retention);
}

/** A revision with its stored size. */
export interface StandingRecord {
  readonly record: StoredRecord;
  readonly bytes: number;
  /** Until when it may be shown without being judged again; no change may come before. */
  readonly untilMillis: number;
}

/** Returns a revision of a record, or `undefined` where it is no longer kept. */
export function standingRecord(
  tx: ReadTx,
  record: { readonly namespace: Namespace; readonly recordId: string },
  revision: number,
  { retention, nowMs, isHeld }: Omit<Judgement, 'erasures'>,
): StandingRecord | undefined {
  const found = findRecordMeasured(tx, record.namespace, record.recordId);
  if (found === undefined) return undefined;
  const { value: current, bytes } = found;
  if (current.revision === revision) return { record: current, bytes, untilMillis: Infinity };
  if (!isContentKept(current, retention, nowMs)) return undefined;
  const old = findRevisionMeasured(tx, record, revision);
  if (old === undefined || old.value.redaction !== null) return undefined;
  const { supersededAtMillis } = old.value;
  const state = stateOf(current);
  const isKept =
    isHeld || isRevisionKept({ revision, supersededAtMillis }, state, retention, nowMs);
  if (!isKept) return undefined;
  const endMillis = isHeld ? Infinity : revisionEnd(supersededAtMillis, retention);
  // Once it has expired, or its content ends, a sweep may remove it.
  const sweptFrom = current.payload === null ? nowMs : current.payload.valid_until_millis;
  const untilMillis = Math.min(endMillis, Math.max(sweptFrom ?? Infinity, nowMs));
  return { record: old.value.record, bytes: old.bytes, untilMillis };
}
