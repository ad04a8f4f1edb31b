/**
 * Branches that were dropped or submitted, until the time at which they would have ended by
 * themselves. An export from before can't bring them back meanwhile, and is too old afterwards.
 */
import { trailingUuid } from '../../../storage/store/key.js';
import { defineFamily, working } from '../../../storage/store/family.js';
import { jsonLayout } from '../../../storage/store/layouts.js';
import type { ReadTx, WriteTx } from '../../../storage/store/store.js';
import type { KeyedBranch } from './branch-store.js';

/** When branches would have ended that ended before their time, by id. */
export const memoryEndedBranches = defineFamily({
  name: 'memoryEndedBranches',
  number: 105,
  key: ['uuid'],
  layout: jsonLayout<number>(1),
  sealedBy: null,
  owner: 'tenant',
  exported: { not: 'working' },
  erased: 'expires',
  counts: null,
  derived: working,
});

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
  memoryEndedBranches.put(tx, endsAtMillis, tenantId, id);
}

/** Returns whether a branch ended before its time, as far as that is remembered. */
export function hasEnded(tx: ReadTx, tenantId: string, id: string): boolean {
  return memoryEndedBranches.has(tx, tenantId, id);
}

/** Returns branches of a tenant that ended before their time, after one of them, by id. */
export function endedAfter(
  tx: ReadTx,
  tenantId: string,
  after: string | undefined,
  limit: number,
): EndedBranch[] {
  const start: [string] | undefined = after === undefined ? undefined : [after];
  const rows = memoryEndedBranches.rows(tx, tenantId, { prefix: [], after: start, limit });
  return Array.from(rows, ({ key, value }) => ({ id: trailingUuid(key), untilMillis: value }));
}

/** Forgets that branches ended. */
export function forgetEnded(tx: WriteTx, tenantId: string, ids: readonly string[]): void {
  for (const id of ids) tx.remove(memoryEndedBranches.keyOf(tenantId, id));
}
