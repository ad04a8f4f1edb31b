/**
 * What a commit is to write, and what it is known by.
 * @module
 */
import type { Batch } from './batch.js';
import { ABSENT, type GuessCache } from './guess-cache.js';
import { type Lane, newMark } from './lane.js';

/** A commit that is about to be made. */
export interface CommitPlan {
  readonly lane: Lane;
  /** Identifies the commit, and is the revision of everything that it writes. */
  readonly mark: bigint;
  readonly puts: readonly (readonly [text: string, value: Uint8Array])[];
  readonly removed: readonly string[];
}

/** The commit of a batch. */
export function planOf(batch: Batch, lane: Lane): CommitPlan {
  const puts: [string, Uint8Array][] = [];
  const removed: string[] = [];
  for (const [text, value] of batch.writes()) {
    if (value === undefined) removed.push(text);
    else puts.push([text, value]);
  }
  return { lane, mark: newMark(), puts, removed };
}

/** Whether nothing is written. */
export function isReadOnly({ puts, removed }: CommitPlan): boolean {
  return puts.length === 0 && removed.length === 0;
}

/** Notes that a commit came through. */
export function noteCommit(plan: CommitPlan, guesses: GuessCache): void {
  if (isReadOnly(plan)) return;
  const { lane, mark, puts, removed } = plan;
  lane.mark = mark;
  for (const [text, value] of puts) guesses.set(text, { revision: mark, value });
  for (const text of removed) guesses.set(text, ABSENT);
}
