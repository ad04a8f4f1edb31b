/**
 * A lane commits one batch at a time, and the database stores the last commit of each lane. When
 * the answer to a commit is lost, the server can ask for its outcome and prevent a late commit.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { performance } from 'node:perf_hooks';
import type { Database } from './database.js';
import { isLost, isTransient, UnreachableError, unknownOutcome } from './failure.js';
import type { Statements } from './statements.js';

/** A lane of this server. */
export interface Lane {
  readonly id: bigint;
  /** The last successful commit; 0 before the first. */
  mark: bigint;
}

/** How long to ask the database for the outcome of a commit, in milliseconds. */
const SETTLE_MS = 30_000;

const PAUSE_MS_MIN = 20;
const PAUSE_MS_MAX = 1_000;

/** Returns a lane that is not in the database yet. */
export function newLane(): Lane {
  return { id: newMark(), mark: 0n };
}

/** Returns a unique positive number of 62 random bits. */
export function newMark(): bigint {
  return (randomBytes(8).readBigUInt64BE() >> 2n) + 1n;
}

/**
 * Returns whether a commit succeeded. If not, it can no longer succeed afterwards.
 * @throws {AgentkeepError} `store_unavailable` if the database does not answer in time.
 */
export async function didCommit(
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
      const isTemporary = error instanceof UnreachableError || isLost(error) || isTransient(error);
      if (!isTemporary || performance.now() > until) throw unknownOutcome(error);
    }
    await backOff(attempt);
  }
}

/** Waits a random time, which doubles with each attempt up to a maximum. */
export function backOff(attempt: number): Promise<void> {
  const most = Math.min(PAUSE_MS_MAX, PAUSE_MS_MIN * 2 ** attempt);
  return pause(most * (0.5 + Math.random() / 2));
}
