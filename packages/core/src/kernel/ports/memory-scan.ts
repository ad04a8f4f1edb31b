/** The port of queries of memory: examines the search entries of a namespace by their ids. */
import type { Namespace } from '../access/namespace.js';
import type { ReadTx, SnapshotTx } from '../../storage/store/store.js';

/** Bytes to find among other bytes. */
export interface WantedBytes {
  readonly bytes: Buffer;
  /**
   * Returns the index of the first occurrence that is completely between `start` and `end`, or -1.
   */
  indexIn(other: Buffer, start: number, end: number): number;
}

/** A way to read words. There is one object for each way, so that an index can be known by it. */
export interface WordReading {
  /** Whether words are compared as folded texts have them. */
  readonly isExact: boolean;
  /** Returns what is compared of a word of a folded text; empty if nothing is. */
  wordOf(run: string): string;
}

/** Terms to find in the folded texts of entries, at most 32. */
export interface WantedTerms {
  readonly reading: WordReading;
  /** The terms that are words, as the reading has them, each with its bit. */
  readonly words: readonly { readonly word: string; readonly bit: number }[];
  /** The bits of all other terms. */
  readonly otherBits: number;
  /** Number of terms. */
  readonly count: number;
  /** Returns the bits of the terms that are in folded texts, of those to look for. */
  bitsIn(texts: readonly string[], among?: number): number;
  /** Returns how often each term is in folded texts, of those to look for. */
  timesIn(texts: readonly string[], among?: number): Uint8Array;
  /** Whether an entry with these terms matches. One with more terms never matches less. */
  isMatch(bits: number): boolean;
}

/** The conditions that entries must meet, in the form of the entries. */
export interface SearchFilter {
  /** Part of a folded text. */
  readonly text: WantedBytes | null;
  /** The whole type. */
  readonly type: Buffer | null;
  /** Whole tags. */
  readonly tags: readonly WantedBytes[];
  /** Words and other terms of the folded texts. */
  readonly terms: WantedTerms | null;
}

/** A value of a record that filters ask for; `undefined` where it is missing. */
export type FactValue = string | number | boolean | null | undefined;

/** A value of each record that a filter asks for, and what it must be. */
export interface WantedFact {
  /** The same for the same value of a record, whatever it must be. */
  readonly name: string;
  readonly test: (value: FactValue) => boolean;
}

/** A value of a record, by the name of the fact. */
export interface NamedFact {
  readonly name: string;
  readonly value: FactValue;
}

/** Facts about a record that orders need beside its search entry. */
export interface RankFacts {
  readonly eventMillis: number;
  readonly modifiedMillis: number;
  /** The embedding space of {@link embedding}. */
  readonly space: string;
  /** Empty if it has none. */
  readonly embedding: readonly number[];
}

/** The sentences of a text with their words, to find passages. */
export interface HeldSentences {
  /** How the words were read. */
  readonly reading: WordReading;
  /** Most UTF-8 bytes of a sentence, of which a longer one is several. */
  readonly bytesMax: number;
  /** Where each sentence ends in the text, in UTF-16 units. */
  readonly ends: Uint32Array;
  /** The UTF-8 bytes of each. */
  readonly sizes: Uint32Array;
  /** Memory that they take, in bytes. */
  readonly bytes: number;
  /** Returns how often each has each term that is a word; nothing for one that has none. */
  timesOf(terms: WantedTerms): readonly (Uint8Array | undefined)[];
}

/** A long text in the cache: its sentences and words, once they were read. */
export interface HeldText {
  /** The revision of its record. */
  readonly revision: number;
  /** Times that a passage of it was looked for; counted where it is held. */
  asked: number;
  /** Whether its words were read, which waits until it is likely to pay. */
  readonly isRead?: boolean;
  /** Absent unless they were read, and for a text with too many sentences or words. */
  readonly sentences?: HeldSentences | undefined;
}

/** Facts about a record. */
export interface RecordFacts {
  readonly recordId: string;
  /** Its main text, if that is long. */
  readonly text?: HeldText | undefined;
  /** Absent if the order needs none. */
  readonly ranks?: RankFacts | undefined;
  /** Values that filters asked for, as far as they are small enough to be held. */
  readonly values: readonly NamedFact[];
}

/** Embeddings of one dimension, rounded to integers. */
export interface RoundedEmbeddings {
  /** Components in units of the scale of their embedding, one embedding after the other. */
  readonly codes: Int8Array;
  readonly scales: Float64Array;
  /** Euclidean lengths of the embeddings. */
  readonly lengths: Float64Array;
  /** Upper bounds of the Euclidean lengths of the rounding errors. */
  readonly errors: Float64Array;
  readonly dimension: number;
}

/** The embeddings of entries in one space, by their index in a part of a cache. */
export interface HeldEmbeddings {
  /** Whether the embedding of an entry is known, or that it has none. */
  isKnown(index: number): boolean;
  /** Numbers of components of the embeddings; 0 for none. */
  readonly dimensions: Uint16Array;
  /** The embeddings of one dimension; absent if there are none. */
  readonly vectors: RoundedEmbeddings | undefined;
}

/** Facts of entries, by their index in a part of a cache. */
export interface HeldFacts {
  readonly eventMillis: Float64Array;
  readonly modifiedMillis: Float64Array;
  /** Returns the embeddings in a space, if any are known. */
  embeddingsIn(space: string): HeldEmbeddings | undefined;
}

/** Decides from facts which entries cannot be among the first of an order. */
export interface KeyBounds {
  /**
   * Returns a lower bound of the key of an entry; infinite if the entry is not in the order,
   * `undefined` if the facts don't suffice.
   */
  leastKey(facts: HeldFacts, index: number): number | undefined;
  /** Returns the same from the bits of its terms; absent if these don't determine the key. */
  readonly leastKeyOfTerms?: ((bits: number) => number) | undefined;
  /** The terms of a second order: a match with them is found whatever its key. */
  readonly otherTerms?: WantedTerms | undefined;
  /** Returns whether a key is after the first ones. */
  isPast(key: number): boolean;
  /** Work of {@link leastKey}, in bytes that are searched in the same time. */
  readonly work: number;
}

/** What an order by words asks of an entry beside the terms that it has. */
export interface WeighedEntry {
  /** How often it has each term, by the index of the term; many times count as a few. */
  readonly times: Uint8Array;
  /** Bytes of its folded texts. */
  readonly textBytes: number;
  readonly eventMillis: number;
}

/** What a tally takes of a match. */
export interface TalliedEntry {
  /** The bits of its terms. */
  readonly terms: number;
  readonly revision: number;
  /** Present in a part that is weighed. */
  readonly weighed?: WeighedEntry | undefined;
}

/** Takes matches whose entries say all that is asked. */
export interface MatchTally {
  /** Adds a match whose record id is at a place among bytes, which are on loan. */
  add(bytes: Uint8Array, idAt: number, entry: TalliedEntry): void;
}

/** The next part of a query. */
export interface ScanPart {
  readonly namespace: Namespace;
  readonly filter: SearchFilter;
  readonly nowMs: number;
  /**
   * An entry that ended at or before this time is a match on its own, which no tally takes: its
   * record has to say whether it matches. Absent where ends are not asked for.
   */
  readonly endedMs?: number | undefined;
  /** Id of the last entry that was examined before. */
  readonly after: string | undefined;
  /** Whether ids descend, so that `after` is the least id examined before. Default: false. */
  readonly isBackward?: boolean;
  /** Most entries to examine. */
  readonly entries: number;
  /**
   * Whether the part goes on, once it examined so many, past entries that their texts can't match
   * by what a cache knows of them. These count nowhere.
   */
  readonly isPassing?: boolean | undefined;
  /** Most matches to find. */
  readonly records: number;
  /** Whether matches say how often they have each term; only with terms. */
  readonly isWeighed?: boolean | undefined;
  /** Takes the matches instead of {@link ScannedPart.matches}. */
  readonly tally?: MatchTally | undefined;
  /** Receives the id of every entry that is examined, in order. */
  readonly listed?: ((recordId: string) => void) | undefined;
  /** What filters ask of records beyond their entries. Held facts decide, as far as they can. */
  readonly facts?: readonly WantedFact[] | undefined;
  /** Whether an entry is another one where it is read, so that it is examined but never matches. */
  readonly isHidden?: ((recordId: string) => boolean) | undefined;
  /** Skips entries that are not among the first of an order, as far as facts are known. */
  readonly keys?: KeyBounds | undefined;
}

/** An entry that matches. */
export interface Match {
  readonly recordId: string;
  /** Revision of the record when the entry was written. */
  readonly revision: number;
  /** Entries examined up to this one, in this part. */
  readonly examined: number;
  /** Whether it ended by {@link ScanPart.endedMs}. */
  readonly isEnded?: boolean | undefined;
  /** The bits of the wanted terms that it has, if any are wanted. */
  readonly terms?: number | undefined;
  /** Present in a part that is weighed. */
  readonly weighed?: WeighedEntry | undefined;
  /** The bits of the terms of a second order, if it has one: 0 where they don't match. */
  readonly otherTerms?: number | undefined;
  /** Whether held facts meet all {@link ScanPart.facts}. */
  readonly isMeetingFacts?: boolean | undefined;
  /** A lower bound of the key of the record, if facts about it are known. */
  readonly leastKey?: number | undefined;
}

/** The result of one part. It may end before its bounds, to let other work run. */
export interface ScannedPart {
  readonly matches: readonly Match[];
  readonly examined: number;
  /** How many of these were in a cache; absent means none. */
  readonly cached?: number;
  /** How many matches were skipped because they are not among the first; absent means none. */
  readonly leftOut?: number;
  /** Id after which the next part continues; absent when the namespace was exhausted first. */
  readonly last: string | undefined;
  /** Remembers the entries that were read. Call it after the read. */
  readonly remember?: (() => void) | undefined;
  /** Remembers facts of records that the same read returned. Call it after the read. */
  readonly learn?: ((facts: readonly RecordFacts[]) => void) | undefined;
}

/** The long texts of a namespace that are held. */
export interface HeldTexts {
  /** Returns the cached text of a record, if there is one. */
  find(recordId: string): HeldText | undefined;
  /** Returns what holds facts that the same read found. Call that after the read. */
  learner(): (facts: readonly RecordFacts[]) => void;
}

/** A state of memory that is held between calls. */
export interface HeldView {
  /** About the memory that it takes. */
  readonly bytes: number;
}

/** A namespace in one read. */
export interface OpenedNamespace {
  /** Whether what the body returns counts. */
  readonly isWhole: boolean;
  /** Whether the body is worth running for what it reads, even so. */
  readonly isRehearsed: boolean;
  /** Takes over what was found. Call it once the read is over. */
  adopt(): void;
}

/** A namespace of a store that other servers change, during one call. */
export interface FollowedNamespace {
  /** Opens it for a body that is about to run. */
  open(tx: SnapshotTx): OpenedNamespace;
  /** Scans it in such a body. */
  readonly scan: ScanMemory;
}

/** Keeps what is remembered of memory in step with other servers. */
export interface SegmentFollowing {
  /** Returns a namespace for the reads of one call. */
  follow(namespace: Namespace): FollowedNamespace;
}

/** The cache of search entries, as gauges see it. */
export interface QueryCache {
  /** Memory that is taken, in bytes; at most {@link maxBytes}. */
  readonly bytes: number;
  readonly maxBytes: number;
  /** Parts of scans that were served from the cache. Only grows. */
  readonly hits: number;
  /** Parts of scans that had to read the store. Only grows. */
  readonly misses: number;
}

/** Examines a part inside a read. Every implementation finds the same matches. */
export type ScanMemory = (tx: ReadTx, part: ScanPart) => ScannedPart;
