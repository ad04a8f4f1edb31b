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
}

/** An entry that matches. */
export interface Match {
  readonly recordId: string;
  /** Revision of the record when the entry was written. */
  readonly revision: number;
  /** Entries examined up to this one, in this part. */
  readonly examined: number;
}

/** What one part found. It may end before its bounds, to let other work run. */
export interface ScannedPart {
  readonly matches: readonly Match[];
  readonly examined: number;
  /** How many of these were in a cache; absent means none. */
  readonly cached?: number;
  /** Id after which the next part goes on; absent when the namespace was exhausted first. */
  readonly last: string | undefined;
  /** Remembers what was read. To be called once the read is over. */
  readonly remember?: (() => void) | undefined;
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
