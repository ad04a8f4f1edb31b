/**
 * What a commit writes, and how it is identified.
 */
import type { AppendedEntry } from '@agentkeep/core/store';
import type { Batch } from './batch.js';
import { ABSENT, type GuessCache } from '../guesses/guess-cache.js';
import { type Lane, newMark } from '../database/lane.js';

/** A commit before it is sent. */
export interface CommitPlan {
  readonly lane: Lane;
  /** Identifies the commit. Everything that it writes gets this revision. */
  readonly mark: bigint;
  readonly puts: readonly (readonly [text: string, value: Uint8Array])[];
  readonly removed: readonly string[];
  /** Entries that get their positions from the database. */
  readonly appended: readonly AppendedEntry[];
}

/** Plans the commit of a batch on a lane. */
export function planOf(batch: Batch, lane: Lane): CommitPlan {
  const puts: [string, Uint8Array][] = [];
  const removed: string[] = [];
  for (const [text, value] of batch.writes()) {
    if (value === undefined) removed.push(text);
    else puts.push([text, value]);
  }
  return { lane, mark: newMark(), puts, removed, appended: batch.appended };
}

/** Whether nothing is written. */
export function isReadOnly({ puts, removed, appended }: CommitPlan): boolean {
  return puts.length === 0 && removed.length === 0 && appended.length === 0;
}

/** Updates lane and cache after a successful commit. */
export function noteCommit(plan: CommitPlan, guesses: GuessCache): void {
  if (isReadOnly(plan)) return;
  const { lane, mark, puts, removed } = plan;
  lane.mark = mark;
  for (const [text, value] of puts) guesses.set(text, { revision: mark, value });
  for (const text of removed) guesses.set(text, ABSENT);
}
