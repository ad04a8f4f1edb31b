/**
 * Positions of appended entries: an epoch, and within it the id of the transaction, or a counter on
 * engines without advisory locks. Ids go back when an older state of the database is restored. Then
 * another server process runs, so the stored epoch names the process that it is valid for.
 */
import {
  EPOCH_KEY,
  FIRST_POSITION,
  nextEpoch,
  openEpoch,
  positionOf,
  sealEpoch,
  type StoredEpoch,
} from '@agentkeep/core/store';
import { byteaArray } from '../database/binary-array.js';
import type { Answer } from '../database/database.js';
import { sqlStateOf } from '../database/failure.js';
import { newMark } from '../database/lane.js';
import { LockSet } from './lock-set.js';
import type { Parts } from './parts.js';
import { control } from '../database/statements.js';

/** The statement that appends makes a key of a null if the stored epoch is no longer valid. */
const NOT_NULL_VIOLATION = '23502';

/** Returns whether a commit failed because the epoch must be raised first. */
export function isEpochOutdated(error: unknown): boolean {
  return sqlStateOf(error) === NOT_NULL_VIOLATION;
}

/** Returns the position that an answer to the horizon query states. */
export function horizonOf(answer: Answer | undefined): Uint8Array {
  const [sealed, version, source] = answer?.rows[0] ?? [];
  const stored = openEpoch(sealed instanceof Uint8Array ? sealed : undefined);
  if (stored === undefined) return FIRST_POSITION;
  // No transaction runs in an epoch of another source, and the next commit raises it.
  if (stored.source !== Number(source)) return positionOf(stored.epoch + 1, 0, 0);
  return positionOf(stored.epoch, Number(version), 0);
}

/**
 * Raises the epoch unless it is valid for the current process of the database. `isForced` raises it
 * anyway. No other transaction of the store runs meanwhile, so none of an earlier epoch ends after
 * one of the new epoch.
 */
export async function raiseEpoch(
  { database, locking, settings, statements }: Parts,
  isForced: boolean,
): Promise<void> {
  const all = new LockSet();
  all.addStore();
  const { lockTimeoutMs, statementTimeoutMs } = settings;
  const values = [`${String(lockTimeoutMs)}ms`, `${String(statementTimeoutMs)}ms`];
  await database.use(async (session) => {
    const calls = [
      { statement: control.begin },
      { statement: control.limits, values },
      ...locking.take(all),
      { statement: statements.horizon },
    ];
    const answer = (await session.send(...calls)).at(-1);
    const [sealed, , source] = answer?.rows[0] ?? [];
    const last = openEpoch(sealed instanceof Uint8Array ? sealed : undefined);
    if (isForced || last?.source !== Number(source)) {
      const raised = { epoch: nextEpoch(last, Date.now()), source: Number(source) };
      await session.send({ statement: statements.put, values: putValues(raised) });
    }
    await session.send({ statement: control.commit });
  });
}

function putValues(raised: StoredEpoch): readonly (Buffer | string)[] {
  return [byteaArray([EPOCH_KEY]), byteaArray([sealEpoch(raised)]), String(newMark())];
}
