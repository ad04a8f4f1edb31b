/**
 * What every part of an open store stands on.
 * @module
 */
import type { Database } from './database.js';
import type { GuessCache } from './guess-cache.js';
import type { Locking } from './locking.js';
import type { Settings } from './settings.js';
import type { Statements } from './statements.js';

/** The parts of one open store. */
export interface Parts {
  readonly database: Database;
  readonly guesses: GuessCache;
  readonly locking: Locking;
  readonly settings: Settings;
  readonly statements: Statements;
}
