/** The port of the tally: how many entries of each kind a keep has. */
import { Port } from '../ports/port.js';
import type { Clock } from '../ports/clock.js';
import type { Entropy } from '../ports/entropy.js';
import type { Families } from '../../storage/families/families.js';
import type { Participant } from '../../storage/store/participant.js';
import type { Store } from '../../storage/store/store.js';
import type { EntryCounts } from './counts.js';

/** The tally of a keep. */
export const tally = new Port<EntryTally>('tally');

/** What entries of families add to the numbers. */
export type CountingRules = Pick<Families, 'countingRule' | 'nextCounted'>;

/** Dependencies of a tally. */
export interface TallyParts {
  readonly store: Store;
  readonly families: CountingRules;
  readonly clock: Clock;
  /** Tells servers of a shared store apart, which then write to entries of their own. */
  readonly entropy?: Entropy;
  /** Entries that are counted before other work runs. */
  readonly sliceEntries?: number;
}

/** Keeps the numbers of one open store, as a participant of every change. */
export interface EntryTally extends Participant {
  /**
   * Returns the current numbers, after any unfinished count.
   *
   * @throws {AgentkeepError} `store_closed`, or the error that prevents the count.
   */
  entries(): Promise<EntryCounts>;
  /** Ends the tally, before the store is closed. */
  close(): Promise<void>;
}
