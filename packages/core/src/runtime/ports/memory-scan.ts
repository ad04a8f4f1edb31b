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

/** What orders need of a record beside its search entry. */
export interface RecordFacts {
  readonly recordId: string;
  readonly eventMillis: number;
  readonly modifiedMillis: number;
  /** Empty if it has none. */
  readonly embedding: readonly number[];
}

/** Embeddings of one dimension, rounded to integers. */
export interface RoundedEmbeddings {
  /** Components in units of the scale of their embedding, one embedding behind the other. */
  readonly codes: Int8Array;
  readonly scales: Float64Array;
  /** Euclidean lengths of the embeddings. */
  readonly lengths: Float64Array;
  /** At least the Euclidean lengths of what rounding left out. */
  readonly errors: Float64Array;
  readonly dimension: number;
}

/** Facts of entries, by their index in a part of a cache. */
export interface HeldFacts {
  readonly eventMillis: Float64Array;
  readonly modifiedMillis: Float64Array;
  /** Numbers of components of the embeddings; 0 for none. */
  readonly dimensions: Uint16Array;
  /** Those of one dimension; absent without any. */
  readonly vectors: RoundedEmbeddings | undefined;
}

/** Tells from facts which entries cannot be among the first of an order. */
export interface KeyBounds {
  /**
   * Returns a key that is not above that of an entry; infinite if the entry has no place in the
   * order, `undefined` if the facts don't tell.
   */
  leastKey(facts: HeldFacts, index: number): number | undefined;
  /** Texts without any of which a record has no place in a second order, if there is one. */
  readonly otherTexts?: readonly WantedBytes[] | undefined;
  /** Whether a key is behind the first ones. */
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
  /** Leaves out what is not among the first of an order, as far as facts are known. */
  readonly keys?: KeyBounds | undefined;
}

/** An entry that matches. */
export interface Match {
  readonly recordId: string;
  /** Revision of the record when the entry was written. */
  readonly revision: number;
  /** Entries examined up to this one, in this part. */
  readonly examined: number;
  /** A key that is not above that of the record, if facts about it are known. */
  readonly leastKey?: number;
}

/** What one part found. It may end before its bounds, to let other work run. */
export interface ScannedPart {
  readonly matches: readonly Match[];
  readonly examined: number;
  /** How many of these were in a cache; absent means none. */
  readonly cached?: number;
  /** How many matches were left out, since they are not among the first; absent means none. */
  readonly leftOut?: number;
  /** Id after which the next part goes on; absent when the namespace was exhausted first. */
  readonly last: string | undefined;
  /** Remembers what was read. To be called once the read is over. */
  readonly remember?: (() => void) | undefined;
  /** Remembers facts of records that the same read returned. To be called once the read is over. */
  readonly learn?: ((facts: readonly RecordFacts[]) => void) | undefined;
}

/** What remembers search entries between scans, for gauges. */
export interface QueryCache {
  /** Memory that is taken, in bytes; at most {@link maxBytes}. */
  readonly bytes: number;
  readonly maxBytes: number;
  /** Parts of scans that read nothing from the store. Only grows. */
  readonly hits: number;
  /** Parts of scans that had to read. Only grows. */
  readonly misses: number;
}

/** Examines a part inside a read. Every implementation finds the same matches. */
export type ScanMemory = (tx: ReadTx, part: ScanPart) => ScannedPart;
