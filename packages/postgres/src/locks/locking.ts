/**
 * The two ways of locking: advisory locks of PostgreSQL, or rows.
 */
import { bigintArray } from '../database/binary-array.js';
import type { Call } from '../database/database.js';
import { type LockId, lockIds, lockRows } from './lock-ids.js';
import type { LockSet } from './lock-set.js';
import type { Settings } from '../settings/settings.js';
import type { Statements } from '../database/statements.js';

/** A way of locking. Every lock ends with its transaction. */
export interface Locking {
  /** Returns the calls that take locks, and wait for them. */
  take(locks: LockSet): Call[];
  /** Returns a call that tries to take more locks without waiting; its row says whether it did. */
  takeMore(locks: LockSet): Call | undefined;
}

/** Returns the way of locking that the settings choose. */
export function lockingOf({ table, locks }: Settings, statements: Statements): Locking {
  return locks === 'advisory' ? advisoryLocking(table, statements) : rowLocking(statements);
}

/** Encodes locks as parameters. */
export function lockParameters(ids: readonly LockId[]): [ids: Buffer, modes: Buffer] {
  return [
    bigintArray(ids.map(({ id }) => id)),
    bigintArray(ids.map(({ isExclusive }) => (isExclusive ? 1n : 0n))),
  ];
}

function advisoryLocking(table: string, statements: Statements): Locking {
  const valuesOf = (locks: LockSet) => lockParameters(lockIds(table, locks));
  return {
    take: (locks) => [{ statement: statements.takeLocks, values: valuesOf(locks) }],
    takeMore: (locks) => ({ statement: statements.tryLocks, values: valuesOf(locks) }),
  };
}

/** One statement locks rows in one mode, so the rows are split where the mode changes. */
function rowLocking(statements: Statements): Locking {
  return {
    take: (locks) => {
      const parts: LockId[][] = [];
      for (const row of lockRows(locks)) {
        const part = parts.at(-1);
        if (part?.[0]?.isExclusive === row.isExclusive) part.push(row);
        else parts.push([row]);
      }
      return parts.map((rows) => ({
        statement: rows[0]?.isExclusive === true ? statements.updateRows : statements.shareRows,
        values: [bigintArray(rows.map(({ id }) => id))],
      }));
    },
    takeMore: () => undefined,
  };
}
