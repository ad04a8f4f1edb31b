/** The orders of searches: by id, or by a key that needs every entry to be examined. */
import type { StoredRecord } from '../../record/record-layout.js';
import { RoughDistance } from '../../vectors/rough-distance.js';
import { bitCount } from './bits.js';
import type { CompiledSearch } from './compiled-search.js';
import { embeddingOf } from './embedding-of.js';
import type { Passages } from './passages.js';
import { type KeyEstimate, NO_KEY } from './rank-bounds.js';
import type { FoundTerm, SearchOrder } from '../documents/schema.js';
import type { WantedVector } from './wanted-vector.js';

/** The rank of a match: by key, the least first, then by id. */
export interface Rank {
  readonly key: number;
  readonly id: string;
}

/** Returns the key of a matching record; `undefined` if the order does not rank it. */
export type KeyOf = (record: StoredRecord) => number | undefined;

/** An order, ready to be used. */
export interface CompiledOrder {
  /** Whether ids descend: among equal keys, or in all. */
  readonly isBackward: boolean;
  /** Absent where ids decide alone. */
  readonly keyOf?: KeyOf;
  /** Estimates keys from facts or terms; absent if these do not determine the keys. */
  readonly estimate?: KeyEstimate | undefined;
  /** A second key, by which matches are ranked apart from the first. */
  readonly wordsKeyOf?: KeyOf;
  /** Whether matches are weighed by how often they have each term. */
  readonly isWeighed?: boolean;
  /** Says which terms a match has, and how rare they are. */
  readonly termsOf?: (record: StoredRecord) => FoundTerm[];
  /** Finds the best passages of long texts; absent if whole texts are shown. */
  readonly passages?: Passages | undefined;
}

/** Compiles an order. */
export function compileOrder(
  order: SearchOrder,
  compiled: CompiledSearch,
  vector: WantedVector | undefined,
): CompiledOrder {
  const { wordsFound, termsFound, rankedTermsFound, rankedWords: otherTerms } = compiled;
  const distanceOf = (record: StoredRecord) =>
    vector?.distanceTo(embeddingOf(record, vector.space));
  const byTerms: CompiledOrder = {
    isBackward: true,
    keyOf: termsFound,
    estimate: termsEstimate((bits) => bits),
  };
  switch (order) {
    case 'newest':
      return { isBackward: true };
    case 'oldest':
      return { isBackward: false };
    case 'newest_event':
      return {
        isBackward: true,
        keyOf: (record) => negated(eventOf(record)),
        estimate: timeEstimate('eventMillis', -1),
      };
    case 'oldest_event':
      return { isBackward: false, keyOf: eventOf, estimate: timeEstimate('eventMillis', 1) };
    case 'newest_change':
      return {
        isBackward: true,
        keyOf: ({ modifiedAtMillis }) => -modifiedAtMillis,
        estimate: timeEstimate('modifiedMillis', -1),
      };
    case 'oldest_change':
      return {
        isBackward: false,
        keyOf: ({ modifiedAtMillis }) => modifiedAtMillis,
        estimate: timeEstimate('modifiedMillis', 1),
      };
    case 'most_words':
      return {
        isBackward: true,
        keyOf: (record) => negated(wordsFound(record)),
        estimate: termsEstimate((bits) => 0 - bitCount(bits)),
      };
    case 'rarest_words':
      // How rare terms are is known once all matches are counted; until then, which ones they have.
      return byTerms;
    case 'best_words':
      // As in the order by rarity; which of them are the best is known once all are weighed.
      return { ...byTerms, isWeighed: true };
    case 'nearest':
      return {
        isBackward: true,
        keyOf: distanceOf,
        estimate: vector === undefined ? undefined : distanceEstimate(vector),
      };
    case 'hybrid': {
      // As in the order by rarity, the second key says which terms they have until all are counted.
      const estimate =
        vector === undefined ? undefined : { ...distanceEstimate(vector), otherTerms };
      return { isBackward: true, keyOf: distanceOf, wordsKeyOf: rankedTermsFound, estimate };
    }
  }
}

/** Compares two matches in their order; 0 for two of one rank. */
export function compareRanks(one: Rank, other: Rank, isBackward: boolean): number {
  if (one.key !== other.key) return one.key < other.key ? -1 : 1;
  if (one.id === other.id) return 0;
  return one.id < other.id === isBackward ? 1 : -1;
}

/** Returns whether one match comes before another one. */
export function comesBefore(one: Rank, other: Rank, isBackward: boolean): boolean {
  return compareRanks(one, other, isBackward) < 0;
}

/** Estimates keys that follow from the terms of a match. */
export function termsEstimate(keyOfTerms: (bits: number) => number): KeyEstimate {
  return { work: 0, rangeOf: () => undefined, keyOfTerms };
}

/** Work of looking at a time, in bytes that are searched in the same time. */
const TIME_WORK = 64;

function timeEstimate(column: 'eventMillis' | 'modifiedMillis', sign: 1 | -1): KeyEstimate {
  const range = { least: 0, most: 0 };
  return {
    work: TIME_WORK,
    rangeOf: (facts, index) => {
      range.least = sign * (facts[column][index] ?? 0);
      range.most = range.least;
      return range;
    },
  };
}

/** Components whose product takes as long as the search of a byte. */
const COMPONENTS_PER_BYTE = 4;

function distanceEstimate(vector: WantedVector): KeyEstimate {
  const { dimension, space } = vector;
  const rough = new RoughDistance(vector);
  return {
    work: TIME_WORK + dimension / COMPONENTS_PER_BYTE,
    embedded: { space, dimension },
    rangeOf: (facts, index) => {
      const vectors = facts.embeddingsIn(space)?.vectors;
      if (vectors?.dimension !== dimension) return undefined;
      return rough.measure(vectors, index) ? rough : NO_KEY;
    },
  };
}

function eventOf({ payload }: StoredRecord): number | undefined {
  return payload?.event_time_millis;
}

function negated(key: number | undefined): number | undefined {
  // Avoids -0, whose bytes differ from those of 0.
  return key === undefined ? undefined : 0 - key;
}
