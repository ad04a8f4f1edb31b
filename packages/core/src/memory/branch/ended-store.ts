/**
 * Branches that were dropped or submitted, until the time at which they would have ended by
 * themselves. An export from before can't bring them back meanwhile, and is too old afterwards.
 */
import { trailingUuid } from '../../storage/store/key.js';
import { keyspace } from '../../storage/store/keyspace.js';
import { jsonLayout } from '../../storage/store/layouts.js';
import type { ReadTx, WriteTx } from '../../storage/store/store.js';
import { Subspace } from '../../storage/store/subspace.js';
import type { KeyedBranch } from './branch-store.js';

/** When the branch would have ended. */
const ended = new Subspace(keyspace.memoryEndedBranches, jsonLayout<number>(1));

/** The subspace of this file, by its name in the key space. */
export const endedBranchSubspaces = { memoryEndedBranches: ended };

/** A branch that ended before its time. */
export interface EndedBranch {
  readonly id: string;
  /** When it would have ended, in Unix milliseconds. */
  readonly untilMillis: number;
}

/** Notes that a branch ends before its time. */
export function noteEnded(
  tx: WriteTx,
  tenantId: string,
  { id, endsAtMillis }: Pick<KeyedBranch, 'id' | 'endsAtMillis'>,
): void {
  ended.put(tx, endsAtMillis, tenantId, id);
}

/** Returns whether a branch ended before its time, as far as that is remembered. */
export function hasEnded(tx: ReadTx, tenantId: string, id: string): boolean {
  return ended.has(tx, tenantId, id);
}

/** Returns branches of a tenant that ended before their time, after one of them, by id. */
export function endedAfter(
  tx: ReadTx,
  tenantId: string,
  after: string | undefined,
  limit: number,
): EndedBranch[] {
  const start: [string] | undefined = after === undefined ? undefined : [after];
  const rows = ended.rows(tx, tenantId, { prefix: [], after: start, limit });
  return Array.from(rows, ({ key, value }) => ({ id: trailingUuid(key), untilMillis: value }));
}

/** Forgets that branches ended. */
export function forgetEnded(tx: WriteTx, tenantId: string, ids: readonly string[]): void {
  for (const id of ids) tx.remove(ended.keyOf(tenantId, id));
}
