/**
 * The components that the queues and transactions of an open store share.
 */
import type { Database } from '../database/database.js';
import type { GuessCache } from '../guesses/guess-cache.js';
import type { Locking } from './locking.js';
import type { Settings } from '../settings/settings.js';
import type { Statements } from '../database/statements.js';

/** Components of one open store. */
export interface Parts {
  readonly database: Database;
  readonly guesses: GuessCache;
  readonly locking: Locking;
  readonly settings: Settings;
  readonly statements: Statements;
}
