/**
 * How rare the terms of a search are among its matches, and the order by it
 * (docs/contract/search.md#sea-47).
 */
import type { FoundTerm } from '../documents/schema.js';
import type { CompiledSearch } from './compiled-search.js';
import type { CompiledOrder } from './search-order.js';

/** How many records match a search, and how many of them have each of its terms. */
export interface TermCounts {
  readonly matches: number;
  /** By the index of the term. */
  readonly records: readonly number[];
}

/** Returns the indexes of the terms whose bits are set. */
export function termsOfBits(bits: number, terms: number): number[] {
  return Array.from({ length: terms }, (_, at) => at).filter((at) => (bits / 2 ** at) & 1);
}

/** Returns the key of a match with these terms: the rarer they are together, the less. */
export function rarityKey(bits: number, { matches, records }: TermCounts): number {
  const rarities = termsOfBits(bits, records.length).map((at) =>
    rarityOf(matches, records[at] ?? 0),
  );
  return 0 - rarities.reduce((sum, each) => sum + each, 0);
}

/** A term that no match had when they were counted is as rare as one of a single match. */
function rarityOf(matches: number, records: number): number {
  return Math.log(1 + matches / Math.max(1, records));
}

/** Returns the order by rarity, once the matches are counted. */
export function orderByRarity(
  { terms, termsFound }: CompiledSearch,
  counts: TermCounts,
): CompiledOrder {
  const shown = terms.map((term, at): FoundTerm => {
    return { text: term.said, records: Math.max(1, counts.records[at] ?? 0) };
  });
  return {
    isBackward: true,
    keyOf: (record) => rarityKey(termsFound(record), counts),
    termsOf: (record) => {
      const found = termsOfBits(termsFound(record), terms.length);
      return found.flatMap((at) => shown[at] ?? []);
    },
  };
}
