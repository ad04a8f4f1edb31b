/**
 * Searches by rarity from the contract alone (docs/contract/search.md#sea-47): matches are counted,
 * then all of them are sorted.
 */
import type { MemoryRecord, SearchMatch } from '@agentkeep/core';
import type { FoundTermModel } from './memory-words.js';

/** A match with its terms, in the order of the query. */
export interface RareMatch {
  readonly match: SearchMatch;
  readonly terms: readonly FoundTermModel[];
}

/** How many matches there are, and how many of them have each term. */
export interface Rarities {
  readonly matches: number;
  readonly records: Readonly<Record<number, number>>;
}

/** Counts matches and adds them to earlier counts. */
export function counted(found: readonly RareMatch[], before: Rarities | undefined): Rarities {
  const records = { ...before?.records };
  for (const { terms } of found) {
    for (const { at } of terms) records[at] = (records[at] ?? 0) + 1;
  }
  return { matches: (before?.matches ?? 0) + found.length, records };
}

/** The key of a match: the rarest terms together come first. */
export function rareKey(terms: readonly FoundTermModel[], { matches, records }: Rarities): number {
  let sum = 0;
  for (const { at } of terms) sum += Math.log(1 + matches / Math.max(1, records[at] ?? 0));
  return 0 - sum;
}

/** A match as it is shown. */
export function withTerms({ match, terms }: RareMatch, { records }: Rarities): SearchMatch {
  return {
    ...match,
    terms: terms.map(({ at, said }) => ({ text: said, records: Math.max(1, records[at] ?? 0) })),
  };
}

/** A record among the matches, by which they are sorted. */
export const idOf = ({ match }: RareMatch): MemoryRecord['record_id'] => match.record.record_id;
