/**
 * The two ways of locking: with the advisory locks of PostgreSQL, or with rows.
 * @module
 */
import { bigintArray } from './binary-array.js';
import type { Call } from './database.js';
import { type LockId, lockIds, lockRows } from './lock-ids.js';
import type { LockSet } from './lock-set.js';
import type { Settings } from './settings.js';
import type { Statements } from './statements.js';

/** How transactions keep out of each other's way; every lock ends with its transaction. */
export interface Locking {
  /** The calls that take locks, each waiting until it has them. */
  take(locks: LockSet): Call[];
  /** A call that takes more locks without waiting, if there is one: its row says whether it did. */
  takeMore(locks: LockSet): Call | undefined;
}

/** The way that the settings choose. */
export function lockingOf({ table, locks }: Settings, statements: Statements): Locking {
  return locks === 'advisory' ? advisoryLocking(table, statements) : rowLocking(statements);
}

/** The parameters that stand for locks. */
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

/** A statement takes rows in one mode, so the rows are parted where the mode changes. */
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
