/** Chooses the tally of a store: in memory if only this process changes it, else in the store. */
import type { EntryTally, TallyParts } from '../../kernel/counts/counts.js';
import { SharedTally } from './shared-tally.js';
import { Tally } from './tally.js';

/** Opens the tally of a store. Call it before this process writes to the store. */
export function openTally(parts: TallyParts): Promise<EntryTally> {
  return parts.store.isShared ? SharedTally.open(parts) : Tally.open(parts);
}
