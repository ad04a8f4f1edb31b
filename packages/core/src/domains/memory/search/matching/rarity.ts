/**
 * How rare the terms of a search are among its matches, and the order by it
 * (docs/contract/search.md#sea-47).
 */
import type { StoredRecord } from '../../record/record-layout.js';
import type { FoundTerm } from '../documents/schema.js';
import { indexesOf } from './bits.js';
import type { CompiledSearch } from './compiled-search.js';
import { type CompiledOrder, type KeyOf, termsEstimate } from './search-order.js';

/** How many records match a search, and how many of them have each of its terms. */
export interface TermCounts {
  readonly matches: number;
  /** By the index of the term. */
  readonly records: readonly number[];
}

/** Returns the key of a match by the bits of its terms: the rarer they are together, the less. */
export type RarityKey = (bits: number) => number;

/** Returns the rarities of the terms, once matches are counted. */
export function raritiesOf({ matches, records }: TermCounts): number[] {
  // A term that no match had when they were counted is as rare as one of a single match.
  return records.map((count) => Math.log(1 + matches / Math.max(1, count)));
}

/** Returns the keys of matches, once they are counted. */
export function rarityKeys(counts: TermCounts): RarityKey {
  const rarities = raritiesOf(counts);
  const keys = new Map<number, number>();
  return (bits) => {
    const known = keys.get(bits);
    if (known !== undefined) return known;
    const key = 0 - indexesOf(bits).reduce((sum, at) => sum + (rarities[at] ?? 0), 0);
    keys.set(bits, key);
    return key;
  };
}

/** An order by rarity, which shows the terms of matches. */
export interface RarityOrder extends CompiledOrder {
  readonly keyOf: KeyOf;
  readonly termsOf: (record: StoredRecord) => FoundTerm[];
}

/** Returns the order by rarity, once the matches are counted. */
export function orderByRarity(
  { rankedTerms, rankedTermsFound }: CompiledSearch,
  counts: TermCounts,
): RarityOrder {
  const shown = rankedTerms.map((term, at): FoundTerm => {
    return { text: term.said, records: Math.max(1, counts.records[at] ?? 0) };
  });
  const keyOf = rarityKeys(counts);
  return {
    isBackward: true,
    keyOf: (record) => {
      const terms = rankedTermsFound(record);
      return terms === undefined ? undefined : keyOf(terms);
    },
    estimate: termsEstimate(keyOf),
    termsOf: (record) => indexesOf(rankedTermsFound(record) ?? 0).flatMap((at) => shown[at] ?? []),
  };
}
