/** The search entries of a range of record ids in a form that is searched at once. */
import type { HeldText, RecordFacts, WordReading } from '../../../kernel/ports/memory-scan.js';
import { bytesOfColumns, type Columns, type ColumnSizes, ID_BYTES } from './columns/columns.js';
import type { SegmentScan } from './segment-scan.js';
import { AFTER_ALL, idTextOf } from './columns/id-text.js';
import { SegmentFacts } from './facts/segment-facts.js';
import { Signature, signatureBytes } from './columns/signature.js';
import { WordIndex, WordIndexes } from './words/word-index.js';

/** Most entries of a segment. */
export const SEGMENT_ENTRIES = 256;

/** Bytes of texts and tags after which a segment takes no more entries. */
export const SEGMENT_BYTES = 65_536;

/** Approximate memory of a segment without its columns. */
const OBJECT_BYTES = 2_048;
/** Work of making a signature, for each byte, as a multiple of that of a search. */
const SIGNATURE_WORK = 4;
/**
 * Times that a segment is patched between two searches: so many patches take about as long as
 * reading it from the store again.
 */
const PATCHES_MAX = 16;
/** Work of making a word index, for each byte, likewise. */
const INDEX_WORK = 8;
/** Work of asking a signature, in bytes that are searched in the same time. */
const SIGNATURE_TEST_WORK = 128;

/** What a segment is made of. */
export interface SegmentParts {
  /** It holds every entry after this id text … */
  readonly after: string;
  /** … through this one. */
  readonly through: string;
  readonly sizes: ColumnSizes;
  readonly columns: Columns;
  /** The distinct types, as texts of one character per byte. */
  readonly types: readonly string[];
}

/** The state of a segment when it is made. */
export interface SegmentState {
  /** What is known of its records. */
  readonly facts?: SegmentFacts | undefined;
  /** Times that it was patched since it was searched. */
  readonly patches?: number;
}

/** Entries of a range, all of them. They never change; facts of their records are learned. */
export class Segment implements SegmentParts {
  readonly after: string;
  readonly through: string;
  readonly sizes: ColumnSizes;
  readonly columns: Columns;
  readonly types: readonly string[];
  readonly #fixedBytes: number;
  #facts: SegmentFacts | undefined;
  #signature: Signature | undefined;
  #wordIndexes: WordIndexes | undefined;
  #searches = 0;
  #isSearched = false;
  readonly #patches: number;

  constructor(
    { after, through, sizes, columns, types }: SegmentParts,
    { facts, patches = 0 }: SegmentState = {},
  ) {
    this.after = after;
    this.through = through;
    this.sizes = sizes;
    this.columns = columns;
    this.types = types;
    const searched = sizes.texts + sizes.tags;
    const typeBytes = types.reduce((sum, { length }) => sum + length, 0);
    this.#fixedBytes = OBJECT_BYTES + bytesOfColumns(sizes) + typeBytes + signatureBytes(searched);
    this.#facts = facts;
    this.#patches = patches;
  }

  /** Memory that it takes with its signature, its indexes and its facts, in bytes. */
  get bytes(): number {
    return this.#fixedBytes + (this.#facts?.bytes ?? 0) + (this.#wordIndexes?.bytes ?? 0);
  }

  /** What was learned of its records. */
  get facts(): SegmentFacts | undefined {
    return this.#facts;
  }

  /** Returns the most memory that learning facts of a record takes in addition, in bytes. */
  bytesToLearn(facts: RecordFacts): number {
    const known = this.#facts;
    if (known !== undefined) return known.bytesToLearn(facts);
    const fresh = new SegmentFacts(this.sizes.entries);
    return fresh.bytes + fresh.bytesToLearn(facts);
  }

  /** Learns facts of a record, if its entry is here. */
  learn(facts: RecordFacts): void {
    const index = this.#indexOf(idTextOf(facts.recordId));
    if (index === undefined) return;
    this.#facts ??= new SegmentFacts(this.sizes.entries);
    this.#facts.learn(index, facts);
  }

  /** Forgets the facts of a record. */
  forgetFacts(idText: string): void {
    if (this.#facts === undefined) return;
    const index = this.#indexOf(idText);
    if (index !== undefined) this.#facts.forget(index);
  }

  /** Returns the cached text of a record, if there is one. */
  textOf(idText: string): HeldText | undefined {
    const index = this.#facts === undefined ? undefined : this.#indexOf(idText);
    return index === undefined ? undefined : this.#facts?.textOf(index);
  }

  /** Returns this segment with another end. There must be no other entries before it. */
  withThrough(through: string): Segment {
    const { after, sizes, columns, types } = this;
    const state = { facts: this.#facts, patches: this.patches };
    const same = new Segment({ after, through, sizes, columns, types }, state);
    same.#signature = this.#signature;
    same.#wordIndexes = this.#wordIndexes;
    return same;
  }

  /** Times that it was patched since it was searched. */
  get patches(): number {
    return this.#isSearched ? 0 : this.#patches;
  }

  /** Whether a patch takes less than reading it again, if it is searched at all. */
  get isWorthPatching(): boolean {
    return this.patches < PATCHES_MAX;
  }

  /** Id text of the last entry, if there is one. */
  get lastId(): string | undefined {
    const { entries } = this.sizes;
    return entries === 0 ? undefined : this.#idText(entries - 1);
  }

  /** Returns the index of the first entry that is not before an id text, and whether it has it. */
  find(idText: string): { readonly index: number; readonly isHeld: boolean } {
    const count = this.countThrough(idText);
    const isHeld = count > 0 && this.#idText(count - 1) === idText;
    return { index: isHeld ? count - 1 : count, isHeld };
  }

  /** Returns how many of the entries are not after an id text. */
  countThrough(idText: string): number {
    if (idText <= this.after) return 0;
    if (idText >= this.through) return this.sizes.entries;
    let low = 0;
    let high = this.sizes.entries;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#idText(middle) <= idText) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Begins a search. Returns whether the signature allows a match. */
  begin(scan: SegmentScan): boolean {
    this.#isSearched = true;
    const { texts, tags } = this.columns;
    const searched = texts.length + tags.length;
    if (scan.hashes.length === 0) {
      scan.work += searched;
      this.#searches += 1;
      return true;
    }
    const isPossible = this.#allows(scan);
    if (isPossible) {
      scan.work += searched;
      this.#searches += 1;
    }
    return isPossible;
  }

  /** Returns whether what is known already excludes a match in all entries. */
  isRuledOut(scan: SegmentScan): boolean {
    const { type } = scan;
    return !this.#mayContain(scan) || (type !== undefined && !this.types.includes(type));
  }

  /** Returns an index of words. It is made when that is likely to pay. */
  wordIndexFor(scan: SegmentScan, reading: WordReading): WordIndex | undefined {
    const known = this.#wordIndexes?.use(reading);
    if (known !== undefined) return known;
    // A text leaves few candidates, so that a first search takes less time without an index.
    if (!scan.isByIndex && this.#searches === 1) return undefined;
    const index = new WordIndex(this.columns, this.sizes.entries, reading);
    scan.work += INDEX_WORK * this.columns.texts.length;
    if (scan.takes(index.bytes)) (this.#wordIndexes ??= new WordIndexes()).keep(reading, index);
    return index;
  }

  /** Asks the signature, which is made first when it is likely to pay. */
  #allows(scan: SegmentScan): boolean {
    const { texts, tags } = this.columns;
    const isStable = this.through !== AFTER_ALL && this.#patches === 0;
    if (this.#signature === undefined && (isStable || this.#searches > 1)) {
      const searched = texts.length + tags.length;
      this.#signature = new Signature(searched);
      this.#signature.add(texts);
      this.#signature.add(tags);
      scan.work += SIGNATURE_WORK * searched;
    }
    return this.#mayContain(scan);
  }

  /** Asks the signature as it is; without one, everything is possible. */
  #mayContain(scan: SegmentScan): boolean {
    scan.work += SIGNATURE_TEST_WORK;
    const signature = this.#signature;
    return scan.hashes.every((set) => signature?.mayContain(set) ?? true);
  }

  #indexOf(idText: string): number | undefined {
    const { index, isHeld } = this.find(idText);
    return isHeld ? index : undefined;
  }

  #idText(index: number): string {
    return this.columns.ids.toString('latin1', ID_BYTES * index, ID_BYTES * (index + 1));
  }
}
