/** The port of queries of memory: examines the search entries of a namespace by their ids. */
import type { Namespace } from '../../access/namespace.js';
import type { ReadTx } from '../../storage/store/store.js';

/** Bytes to find among other bytes. */
export interface WantedBytes {
  readonly bytes: Buffer;
  /** Returns where they first are, completely between `start` and `end`, or -1. */
  indexIn(other: Buffer, start: number, end: number): number;
}

/** What entries must contain, in the form in which entries hold it. */
export interface SearchFilter {
  /** Part of a folded text. */
  readonly text: WantedBytes | null;
  /** The whole type. */
  readonly type: Buffer | null;
  /** Whole tags. */
  readonly tags: readonly WantedBytes[];
}

/** The values of a record that orders use and its search entry lacks. */
export interface RecordFacts {
  readonly recordId: string;
  readonly eventMillis: number;
  readonly modifiedMillis: number;
  /** Empty if it has none. */
  readonly embedding: readonly number[];
}

/** Embeddings of one dimension, rounded to integers. */
export interface RoundedEmbeddings {
  /** Components in units of the scale of their embedding, one embedding after another. */
  readonly codes: Int8Array;
  readonly scales: Float64Array;
  /** Euclidean lengths of the embeddings. */
  readonly lengths: Float64Array;
  /** Upper bounds of the Euclidean lengths of the rounding errors. */
  readonly errors: Float64Array;
  readonly dimension: number;
}

/** Facts of entries, by their index in a part of a cache. */
export interface HeldFacts {
  readonly eventMillis: Float64Array;
  readonly modifiedMillis: Float64Array;
  /** Numbers of components of the embeddings; 0 for none. */
  readonly dimensions: Uint16Array;
  /** The embeddings of one dimension; absent if there are none. */
  readonly vectors: RoundedEmbeddings | undefined;
}

/** Decides from facts which entries cannot be among the first of an order. */
export interface KeyBounds {
  /**
   * Returns a lower bound of the key of an entry. It is infinite if the order does not rank the
   * entry, and `undefined` if the facts say too little.
   */
  leastKey(facts: HeldFacts, index: number): number | undefined;
  /**
   * A record can match the ranked words only if it contains one of these texts. Absent where no
   * words are ranked.
   */
  readonly otherTexts?: readonly WantedBytes[] | undefined;
  /** Returns whether a key comes after the first ones. */
  isPast(key: number): boolean;
  /** Work of {@link leastKey}, in bytes that are searched in the same time. */
  readonly work: number;
}

/** The next part of a query. */
export interface ScanPart {
  readonly namespace: Namespace;
  readonly filter: SearchFilter;
  readonly nowMs: number;
  /** Id of the last entry that was examined before. */
  readonly after: string | undefined;
  /** Whether ids descend, so that `after` is the least id examined before. Default: false. */
  readonly isBackward?: boolean;
  /** Most entries to examine. */
  readonly entries: number;
  /** Most matches to find. */
  readonly records: number;
  /** Receives the id of every entry that is examined, in order. */
  readonly listed?: ((recordId: string) => void) | undefined;
  /** Leaves out entries whose known facts show that they are not among the first of an order. */
  readonly keys?: KeyBounds | undefined;
}

/** An entry that matches. */
export interface Match {
  readonly recordId: string;
  /** Revision of the record when the entry was written. */
  readonly revision: number;
  /** Entries examined up to this one, in this part. */
  readonly examined: number;
  /** A lower bound of the key of the record, if facts about it are known. */
  readonly leastKey?: number;
}

/** What one part found. It may end before its bounds, to let other work run. */
export interface ScannedPart {
  readonly matches: readonly Match[];
  readonly examined: number;
  /** Number of these that were in a cache. Default: 0. */
  readonly cached?: number;
  /** Matches that were left out because they are not among the first. Default: 0. */
  readonly leftOut?: number;
  /** Id after which the next part continues; absent at the end of the namespace. */
  readonly last: string | undefined;
  /** Stores the entries that were read in the cache. Call it after the read. */
  readonly remember?: (() => void) | undefined;
  /** Stores facts of records of the same read in the cache. Call it after the read. */
  readonly learn?: ((facts: readonly RecordFacts[]) => void) | undefined;
}

/** Figures of the cache of search entries, for gauges. */
export interface QueryCache {
  /** Memory that is taken, in bytes; at most {@link maxBytes}. */
  readonly bytes: number;
  readonly maxBytes: number;
  /** Parts of scans that read nothing from the store. Never decreases. */
  readonly hits: number;
  /** Parts of scans that read from the store. Never decreases. */
  readonly misses: number;
}

/** Examines a part inside a read. Every implementation finds the same matches. */
export type ScanMemory = (tx: ReadTx, part: ScanPart) => ScannedPart;
