/**
 * Maps names of locks to the numbers that identify them in the database.
 */
import { sha256 } from '@agentkeep/core/store';
import type { LockSet } from './lock-set.js';

/** A lock of the database. */
export interface LockId {
  readonly id: bigint;
  readonly isExclusive: boolean;
}

/**
 * Returns advisory locks in ascending order. All transactions take them in this order, which
 * prevents deadlocks. Names with the same number are one lock, in the stronger mode.
 */
export function lockIds(table: string, locks: LockSet): LockId[] {
  return inOrder(locks, (name) => advisoryId(`${table}:${name}`));
}

/** Returns the rows that represent locks, in ascending order. */
export function lockRows(locks: LockSet): LockId[] {
  return inOrder(locks, rowOf).map(({ id, isExclusive }) => ({
    id,
    // Rows of keys are always exclusive: mixed modes would need one statement per row.
    isExclusive: isExclusive || id > BigInt(GROUP_ROWS),
  }));
}

/** Rows that represent locks: one for the whole store, then groups, then keys. */
export const LOCK_ROWS = 16_384;
const GROUP_ROWS = 1_023;
const ALL_ROW = 0n;

/** Returns the advisory lock of migrations. */
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
