/**
 * Lanes: each takes one batch at a time, and the database knows of each which commit of it came
 * through last. So a commit whose answer got lost can be asked for, and kept from coming in late.
 * @module
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from './database.js';
import { isLost, isTransient, UnreachableError, unknownOutcome } from './failure.js';
import type { Statements } from './statements.js';

/** A lane of this server. */
export interface Lane {
  readonly id: bigint;
  /** The commit that came through last; 0 before the first. */
  mark: bigint;
}

/** How long the database is asked what became of a commit, in milliseconds. */
const SETTLE_MS = 30_000;

const PAUSE_MS_MIN = 20;
const PAUSE_MS_MAX = 1_000;

/** A lane that the database has not heard of. */
export function newLane(): Lane {
  return { id: newMark(), mark: 0n };
}

/** A number that nobody else has: positive, of 62 random bits. */
export function newMark(): bigint {
  return (randomBytes(8).readBigUInt64BE() >> 2n) + 1n;
}

/**
 * Finds out whether a commit came through, and sees to it that it does not from then on.
 * @throws {AgentkeepError} `store_unavailable` when the database does not answer in time.
 */
export async function cameThrough(
  { database, statements }: { readonly database: Database; readonly statements: Statements },
  lane: Lane,
  mark: bigint,
): Promise<boolean> {
  const until = performance.now() + SETTLE_MS;
  for (let attempt = 0; ; attempt += 1) {
    try {
      const values = [String(lane.id), String(mark), String(newMark())];
      const { rows } = await database.run(statements.settle, values);
      lane.mark = BigInt(String(rows[0]?.[0]));
      return lane.mark === mark;
    } catch (error) {
      const isPassing = error instanceof UnreachableError || isLost(error) || isTransient(error);
      if (!isPassing || performance.now() > until) throw unknownOutcome(error);
    }
    await backOff(attempt);
  }
}

/** Waits a random time, up to twice as long with each attempt. */
export function backOff(attempt: number): Promise<void> {
  const most = Math.min(PAUSE_MS_MAX, PAUSE_MS_MIN * 2 ** attempt);
  return pause(most * (0.5 + Math.random() / 2));
}
