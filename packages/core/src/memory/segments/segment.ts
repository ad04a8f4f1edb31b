/** The search entries of a range of record ids in a form that is searched at once. */
import type { RecordFacts, WantedBytes, WordReading } from '../../runtime/ports/memory-scan.js';
import { uuidAt } from '../../storage/store/key.js';
import {
  bytesOfColumns,
  type Columns,
  type ColumnSizes,
  type EntryRange,
  ID_BYTES,
  startAt,
} from './columns.js';
import { TERMS_WORK } from '../record/scan-memory.js';
import type { SegmentScan } from './segment-scan.js';
import { AFTER_ALL, idTextOf } from './id-text.js';
import { bytesOfFacts, SegmentFacts } from './segment-facts.js';
import { Signature, signatureBytes } from './signature.js';
import { WordIndex } from './word-index.js';
import { WordIndexes } from './word-indexes.js';

/** Most entries of a segment. */
export const SEGMENT_ENTRIES = 256;

/** Bytes of texts and tags after which a segment takes no more entries. */
export const SEGMENT_BYTES = 262_144;

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
/** Work of looking at a candidate, in bytes that are searched in the same time. */
const CANDIDATE_WORK = 128;

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

  /** Returns the memory that facts take if those of a record are learned, in bytes. */
  bytesToLearn({ embedding }: RecordFacts): number {
    if (this.#facts?.vectors !== undefined) return 0;
    return bytesOfFacts(this.sizes.entries, embedding.length) - (this.#facts?.bytes ?? 0);
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

  /** Searches the entries from an index on, until their end or a bound of the scan. */
  search(scan: SegmentScan, from: number): void {
    this.#isSearched = true;
    const to = Math.min(this.sizes.entries, from + scan.entriesLeft);
    const type = scan.type === undefined ? undefined : this.types.indexOf(scan.type);
    const range = { start: from, end: to };
    const end = type === -1 || !this.#mayMatch(scan) ? to : this.#findMatches(scan, range, type);
    scan.pass(end - from);
    this.#list(scan, from, end);
    const isBound = scan.entriesLeft === 0 || scan.recordsLeft === 0;
    if (isBound && end > 0) scan.last = uuidAt(this.columns.ids, ID_BYTES * (end - 1));
  }

  /** Searches the entries before an index, from the last one back, likewise. */
  searchBackward(scan: SegmentScan, to: number): void {
    this.#isSearched = true;
    const from = Math.max(0, to - scan.entriesLeft);
    const type = scan.type === undefined ? undefined : this.types.indexOf(scan.type);
    const isPossible = type !== -1 && this.#mayMatch(scan);
    const found = isPossible ? this.#indexesOfMatches(scan, { start: from, end: to }, type) : [];
    const { ids } = this.columns;
    let first = from;
    for (const index of found.toReversed()) {
      this.#foundAt(scan, index, to - index);
      if (scan.recordsLeft > 0) continue;
      first = index;
      break;
    }
    scan.pass(to - first);
    this.#list(scan, to - 1, first - 1);
    const isBound = scan.entriesLeft === 0 || scan.recordsLeft === 0;
    if (isBound && first < to) scan.last = uuidAt(ids, ID_BYTES * first);
  }

  /** Lists the entries from one index up to another one, or down to it. */
  #list({ listed }: SegmentScan, from: number, end: number): void {
    if (listed === undefined) return;
    const by = from < end ? 1 : -1;
    for (let at = from; at !== end; at += by) listed(uuidAt(this.columns.ids, ID_BYTES * at));
  }

  #indexesOfMatches(
    scan: SegmentScan,
    range: EntryRange,
    type: number | undefined,
  ): number[] {
    const found: number[] = [];
    this.#searches += 1;
    const isIndexed = this.#findTerms(scan, range);
    const next = (from: number) => this.#nextCandidate(scan, isIndexed, from, range.end);
    for (let at = next(range.start); at < range.end; at = next(at + 1)) {
      scan.work += CANDIDATE_WORK;
      if (this.#isMatch(scan, at, type) && this.#hasTexts(scan, isIndexed, at)) found.push(at);
    }
    return found;
  }

  /** Adds the match at an index, unless it is known not to be among the first. */
  #foundAt(scan: SegmentScan, index: number, ahead: number): void {
    let leastKey = scan.leastKeyOf(this.#facts, index);
    const { otherTexts } = scan;
    // It can still match the ranked words, whatever its distance.
    const isOther = otherTexts !== undefined && this.#hasAnyText(index, otherTexts);
    if (isOther && leastKey !== undefined) leastKey = -Infinity;
    if (scan.isPast(leastKey)) {
      scan.leaveOut();
      return;
    }
    const { revisions, ids } = this.columns;
    const terms = scan.terms?.of(index);
    scan.found(uuidAt(ids, ID_BYTES * index), revisions[index] ?? 0, { ahead, leastKey, terms });
  }

  #hasAnyText(index: number, wanted: readonly WantedBytes[]): boolean {
    const { texts, textEnds } = this.columns;
    // A view of its own, because a search runs to the end of its bytes.
    const own = texts.subarray(startAt(textEnds, index), textEnds[index]);
    return wanted.some((text) => text.indexIn(own, 0, own.length) !== -1);
  }

  #isMatch({ nowMs, filter }: SegmentScan, index: number, type: number | undefined): boolean {
    const { visibleUntil, types } = this.columns;
    return (
      nowMs < (visibleUntil[index] ?? 0) &&
      (type === undefined || types[index] === type) &&
      this.#hasTags(index, filter.tags)
    );
  }

  /** Returns the index after the last entry that was examined. */
  #findMatches(scan: SegmentScan, range: EntryRange, type: number | undefined): number {
    this.#searches += 1;
    const { start, end } = range;
    const isIndexed = this.#findTerms(scan, range);
    const next = (from: number) => this.#nextCandidate(scan, isIndexed, from, end);
    for (let index = next(start); index < end; index = next(index + 1)) {
      scan.work += CANDIDATE_WORK;
      if (!this.#isMatch(scan, index, type) || !this.#hasTexts(scan, isIndexed, index)) continue;
      this.#foundAt(scan, index, index + 1 - start);
      if (scan.recordsLeft === 0) return index + 1;
    }
    return end;
  }

  /** Looks for the terms in an index. Returns whether there is one. */
  #findTerms(scan: SegmentScan, range: EntryRange): boolean {
    const { terms } = scan;
    if (terms === undefined) return false;
    terms.begin(this.sizes.entries);
    const index = this.#wordIndexFor(scan, terms.wanted.reading);
    if (index !== undefined) terms.findIn(index, this.columns, range);
    return index !== undefined;
  }

  #wordIndexFor(scan: SegmentScan, reading: WordReading): WordIndex | undefined {
    const known = this.#wordIndexes?.use(reading);
    if (known !== undefined) return known;
    // A text leaves few candidates, so that a first search takes less time without an index.
    if (!scan.isByIndex && this.#searches === 1) return undefined;
    const index = new WordIndex(this.columns, this.sizes.entries, reading);
    scan.work += INDEX_WORK * this.columns.texts.length;
    if (scan.takes(index.bytes)) (this.#wordIndexes ??= new WordIndexes()).keep(reading, index);
    return index;
  }

  /** Returns the next entry with the terms, the text or the first tag, or `to`. */
  #nextCandidate(
    { filter, terms }: SegmentScan,
    isIndexed: boolean,
    index: number,
    to: number,
  ): number {
    if (isIndexed && terms !== undefined) {
      let next = index;
      while (next < to && !terms.isMatch(next)) next += 1;
      return next;
    }
    const { texts, textEnds, tags, tagEnds } = this.columns;
    if (filter.text !== null) return nextWith(filter.text, texts, textEnds, index, to);
    const [tag] = filter.tags;
    return tag === undefined ? index : nextWith(tag, tags, tagEnds, index, to);
  }

  /** Returns whether an entry has the text and the terms, as far as candidates may lack them. */
  #hasTexts(scan: SegmentScan, isIndexed: boolean, index: number): boolean {
    const { terms, filter } = scan;
    if (terms === undefined) return true;
    if (isIndexed) return filter.text === null || this.#hasAnyText(index, [filter.text]);
    scan.work += TERMS_WORK * (this.columns.sizesOf({ start: index, end: index + 1 }).texts);
    terms.findAt(this.columns, index);
    return terms.isMatch(index);
  }

  #hasTags(index: number, wanted: readonly WantedBytes[]): boolean {
    if (wanted.length === 0) return true;
    const { tags, tagEnds } = this.columns;
    // A view of its own, because a search runs to the end of its bytes.
    const own = tags.subarray(startAt(tagEnds, index), tagEnds[index]);
    return wanted.every((tag) => tag.indexIn(own, 0, own.length) !== -1);
  }

  /** Returns whether the signature allows a match. It is made when it is likely to pay. */
  #mayMatch(scan: SegmentScan): boolean {
    const { texts, tags } = this.columns;
    const searched = texts.length + tags.length;
    if (scan.hashes.length === 0) {
      scan.work += searched;
      return true;
    }
    const isStable = this.through !== AFTER_ALL && this.#patches === 0;
    const isSettled = isStable || this.#searches > 1;
    if (this.#signature === undefined && isSettled) {
      this.#signature = new Signature(searched);
      this.#signature.add(texts);
      this.#signature.add(tags);
      scan.work += SIGNATURE_WORK * searched;
    }
    scan.work += CANDIDATE_WORK;
    const signature = this.#signature;
    const isPossible = scan.hashes.every((set) => signature?.mayContain(set) ?? true);
    if (isPossible) scan.work += searched;
    return isPossible;
  }

  #indexOf(idText: string): number | undefined {
    const { index, isHeld } = this.find(idText);
    return isHeld ? index : undefined;
  }

  #idText(index: number): string {
    return this.columns.ids.toString('latin1', ID_BYTES * index, ID_BYTES * (index + 1));
  }
}

/**
 * Returns the index of the first entry from `index` on in which other bytes begin, or `to`. Tags
 * are between separators and may end in the next entry, so they are compared again.
 */
function nextWith(
  wanted: WantedBytes,
  bytes: Buffer,
  ends: Uint32Array,
  index: number,
  to: number,
): number {
  if (index >= to) return to;
  const found = wanted.indexIn(bytes, startAt(ends, index), startAt(ends, to));
  return found === -1 ? to : entryAt(ends, found, index, to);
}

/** Returns the entry that a place belongs to. */
function entryAt(ends: Uint32Array, place: number, from: number, to: number): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ends[middle] ?? 0) <= place) low = middle + 1;
    else high = middle;
  }
  return low;
}
