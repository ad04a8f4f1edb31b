/**
 * Names of the tables and functions of a store.
 */

/** Returns the names of the tables. */
export function tableNames(table: string) {
  return {
    entries: table,
    /** The last successful commit of each lane of each server. */
    lanes: `${table}_lanes`,
    /** Rows that represent locks, for engines without advisory locks. */
    locks: `${table}_locks`,
    /** The counter of commits, for engines without advisory locks. */
    positions: `${table}_positions`,
    /** The migrations that have run. */
    versions: `${table}_versions`,
  };
}

/** Returns the names of the functions, which contain the version that introduced them. */
export function functionNames(table: string) {
  return { commit: `${table}_commit_1` };
}
