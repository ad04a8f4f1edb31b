/** The orders of searches. Some are those of ids; the others need a look at every entry. */
import type { StoredRecord } from '../record-layout.js';
import type { CompiledSearch } from './compiled-search.js';
import { embeddingOf } from './embedding-of.js';
import type { SearchOrder } from './schema.js';
import type { WantedVector } from './wanted-vector.js';

/** Where a match comes in its order: by key, the least first, then by id. */
export interface Rank {
  readonly key: number;
  readonly id: string;
}

/** Returns the key of a record that matches; `undefined` if the order has no place for it. */
export type KeyOf = (record: StoredRecord) => number | undefined;

/** An order, ready to be used. */
export interface CompiledOrder {
  /** Whether ids descend: among equal keys, or in all. */
  readonly isBackward: boolean;
  /** Absent where ids decide alone. */
  readonly keyOf?: KeyOf;
  /** A second key, by which matches are ranked apart from the first. */
  readonly wordsKeyOf?: KeyOf;
}

/** Compiles an order. */
export function compileOrder(
  order: SearchOrder,
  { wordsFound, rankedWords }: CompiledSearch,
  vector: WantedVector | undefined,
): CompiledOrder {
  const distanceOf = (record: StoredRecord) => vector?.distanceTo(embeddingOf(record));
  switch (order) {
    case 'newest':
      return { isBackward: true };
    case 'oldest':
      return { isBackward: false };
    case 'newest_event':
      return { isBackward: true, keyOf: (record) => negated(eventOf(record)) };
    case 'oldest_event':
      return { isBackward: false, keyOf: eventOf };
    case 'newest_change':
      return { isBackward: true, keyOf: ({ modifiedAtMillis }) => -modifiedAtMillis };
    case 'oldest_change':
      return { isBackward: false, keyOf: ({ modifiedAtMillis }) => modifiedAtMillis };
    case 'most_words':
      return { isBackward: true, keyOf: (record) => negated(wordsFound(record)) };
    case 'nearest':
      return { isBackward: true, keyOf: distanceOf };
    case 'hybrid': {
      const wordsKeyOf = (record: StoredRecord) => negated(rankedWords(record));
      return { isBackward: true, keyOf: distanceOf, wordsKeyOf };
    }
  }
}

/** Returns whether one match comes before another one. */
export function comesBefore(one: Rank, other: Rank, isBackward: boolean): boolean {
  if (one.key !== other.key) return one.key < other.key;
  return one.id !== other.id && one.id < other.id !== isBackward;
}

function eventOf({ payload }: StoredRecord): number | undefined {
  return payload?.event_time_millis;
}

function negated(key: number | undefined): number | undefined {
  // Not -0, which is another key in bytes.
  return key === undefined ? undefined : 0 - key;
}
