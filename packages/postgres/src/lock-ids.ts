/**
 * Names of locks as the numbers that the database knows them by.
 * @module
 */
import { sha256 } from '@agentkeep/core/store';
import type { LockSet } from './lock-set.js';

/** A lock of the database. */
export interface LockId {
  readonly id: bigint;
  readonly isExclusive: boolean;
}

/**
 * Locks in the order in which everyone takes them, so that nobody waits in a circle. Names that
 * share a number are one lock, in the stronger mode.
 */
export function lockIds(table: string, locks: LockSet): LockId[] {
  return inOrder(locks, (name) => advisoryId(`${table}:${name}`));
}

/** The same for a fixed number of rows that stand for locks. */
export function lockRows(locks: LockSet): LockId[] {
  return inOrder(locks, rowOf).map(({ id, isExclusive }) => ({
    id,
    // Rows of keys are not shared: to share some and not others would need a statement for each.
    isExclusive: isExclusive || id > BigInt(GROUP_ROWS),
  }));
}

/** Rows that stand for locks: one for all, then groups, then keys. */
export const LOCK_ROWS = 16_384;
const GROUP_ROWS = 1_023;
const ALL_ROW = 0n;

/** A lock for whoever brings the tables up to date. */
export function migrationLock(table: string): bigint {
  return advisoryId(`${table}:migration`);
}

function rowOf(name: string): bigint {
  if (name === 'all') return ALL_ROW;
  const digest = digestView(name).getUint32(0);
  if (name.startsWith('group:')) return BigInt(1 + (digest % GROUP_ROWS));
  const first = 1 + GROUP_ROWS;
  return BigInt(first + (digest % (LOCK_ROWS - first)));
}

function advisoryId(name: string): bigint {
  return digestView(name).getBigInt64(0);
}

function inOrder(locks: LockSet, idOf: (name: string) => bigint): LockId[] {
  const modes = new Map<bigint, boolean>();
  for (const [name, isExclusive] of locks.entries()) {
    const id = idOf(name);
    modes.set(id, isExclusive || modes.get(id) === true);
  }
  return Array.from(modes, ([id, isExclusive]) => ({ id, isExclusive })).sort((a, b) =>
    a.id < b.id ? -1 : 1,
  );
}

function digestView(name: string): DataView {
  const { buffer, byteOffset, byteLength } = sha256(Buffer.from(name, 'latin1'));
  return new DataView(buffer, byteOffset, byteLength);
}
