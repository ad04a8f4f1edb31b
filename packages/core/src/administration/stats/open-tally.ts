/**
 * Chooses the tally of a store: in memory where nobody else changes it, else in the store.
 * @module
 */
import type { EntryTally, TallyParts } from '../../runtime/counts/entry-tally.js';
import { SharedTally } from './shared-tally.js';
import { Tally } from './tally.js';

/** The tally of a store that this process has not written to yet. */
export function openTally(parts: TallyParts): Promise<EntryTally> {
  return parts.store.isShared ? SharedTally.open(parts) : Tally.open(parts);
}
