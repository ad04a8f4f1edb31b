/**
 * What a keep knows of the number of its entries, wherever that is kept.
 * @module
 */
import type { Clock } from '../ports/clock.js';
import type { Store } from '../../storage/store/store.js';
import type { EntryCounts } from './counts.js';

/** What a tally stands on. */
export interface TallyParts {
  readonly store: Store;
  readonly clock: Clock;
  /** Entries that are counted before other work runs. */
  readonly sliceEntries?: number;
}

/** Keeps the numbers of one open store. */
export interface EntryTally {
  /** The store whose changes are counted: every change has to go through it. */
  followed(): Store;
  /**
   * The numbers as of now; waits for a count that is not finished.
   * @throws {AgentkeepError} `store_closed`, or what keeps the store from being counted.
   */
  entries(): Promise<EntryCounts>;
  /** Ends the tally, before the store is closed. */
  close(): Promise<void>;
}
