/**
 * What the tables and functions of a store are called.
 * @module
 */

/** The tables of a store. */
export function tableNames(table: string) {
  return {
    entries: table,
    /** Where each lane of each server stands: the last commit that came through. */
    lanes: `${table}_lanes`,
    /** Rows that stand for locks, where the engine has none that are not rows. */
    locks: `${table}_locks`,
    /** Which migrations were made. */
    versions: `${table}_versions`,
  };
}

/** The functions of a store, with the version that they came with. */
export function functionNames(table: string) {
  return { commit: `${table}_commit_1` };
}
