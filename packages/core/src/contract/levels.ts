/**
 * Feature levels of stores. A store has one, and what is written to it follows from its level, not
 * from the version that writes. So servers of two neighbouring versions can share a store, and the
 * older version can come back until the level is raised.
 */

/** The levels of stores that a version supports. */
export interface Levels {
  /** The lowest level whose stores it reads and writes. */
  readonly oldest: number;
  /** The highest one: the most that it writes. */
  readonly newest: number;
}

/** What a store may hold from each level on, which is not written before. */
export const levelContents: readonly string[] = ['all that the first release stores'];

/** The levels that this version supports. A new store has the newest. */
export const LEVELS: Levels = { oldest: 1, newest: levelContents.length };

/** Milliseconds without older servers after which the level is raised without being asked. */
export const LEVEL_RAISE_AFTER_MS = 86_400_000;

/** Milliseconds between two signs of life of a server that shares its store. */
export const SIGN_OF_LIFE_MS = 10_000;

/**
 * Milliseconds without a sign of life after which a server gives one before the next call. With
 * clocks a minute apart, that is before others take it for gone.
 */
export const SIGN_OF_LIFE_MAX_MS = 50_000;

/** Milliseconds without a sign of life after which others take a server for gone. */
export const SERVER_GONE_MS = 120_000;
