/** The search of one segment for one scan. */
import type { WantedBytes, WeighedEntry } from '../../../kernel/ports/memory-scan.js';
import { uuidAt } from '../../../storage/store/key.js';
import { TERMS_WORK } from '../record/scan-memory.js';
import { textBytesOf } from '../record/search-entry.js';
import { type EntryRange, ID_BYTES, startAt } from './columns/columns.js';
import type { Segment } from './segment.js';
import type { SegmentScan } from './segment-scan.js';
import type { ScannedTerms } from './words/scanned-terms.js';

/** Work of looking at a candidate, in bytes that are searched in the same time. */
const CANDIDATE_WORK = 128;

/** Searches the entries from an index on, until their end or a bound of the scan. */
export function searchForward(segment: Segment, scan: SegmentScan, from: number): void {
  const to = Math.min(segment.sizes.entries, from + scan.entriesLeft);
  const search = new SegmentSearch(segment, scan, { start: from, end: to });
  let end = to;
  for (let at = search.next(from); at < to; at = search.next(at + 1)) {
    if (!search.isMatch(at)) continue;
    search.found(at, at + 1 - from);
    if (scan.recordsLeft > 0) continue;
    end = at + 1;
    break;
  }
  scan.pass(end - from);
  search.list(from, end);
  if (scan.isFull && end > 0) scan.last = uuidAt(segment.columns.ids, ID_BYTES * (end - 1));
}

/** Searches the entries before an index, from the last one back, likewise. */
export function searchBackward(segment: Segment, scan: SegmentScan, to: number): void {
  const from = Math.max(0, to - scan.entriesLeft);
  const search = new SegmentSearch(segment, scan, { start: from, end: to });
  const found: number[] = [];
  for (let at = search.next(from); at < to; at = search.next(at + 1)) {
    if (search.isMatch(at)) found.push(at);
  }
  let first = from;
  for (const index of found.toReversed()) {
    search.found(index, to - index);
    if (scan.recordsLeft > 0) continue;
    first = index;
    break;
  }
  scan.pass(to - first);
  search.list(to - 1, first - 1);
  if (scan.isFull && first < to) scan.last = uuidAt(segment.columns.ids, ID_BYTES * first);
}

/** Goes on behind a segment although the entries are used up, if none of its own can match. */
export function passSegment(segment: Segment, scan: SegmentScan): boolean {
  if (!scan.mayPass || !segment.isRuledOut(scan)) return false;
  scan.last = undefined;
  return true;
}

/** Candidates and matches of a range of entries. */
class SegmentSearch {
  readonly #segment: Segment;
  readonly #scan: SegmentScan;
  readonly #end: number;
  /** The number of the wanted type; -1 for one that no entry has. */
  readonly #type: number | undefined;
  readonly #isPossible: boolean;
  /** Whether the terms of the entries are known from an index. */
  readonly #isIndexed: boolean;
  readonly #isOtherIndexed: boolean;

  constructor(segment: Segment, scan: SegmentScan, range: EntryRange) {
    this.#segment = segment;
    this.#scan = scan;
    this.#end = range.end;
    this.#type = scan.type === undefined ? undefined : segment.types.indexOf(scan.type);
    const mayMatch = segment.begin(scan);
    this.#isPossible = this.#type !== -1 && mayMatch;
    this.#isIndexed = this.#isPossible && this.#findTerms(scan.terms, range);
    this.#isOtherIndexed = this.#isPossible && this.#findTerms(scan.otherTerms, range);
    if (this.#isPossible) scan.facts?.begin(segment.facts?.columns);
  }

  /** Returns the next candidate from an index on; the end of the range if there is none. */
  next(from: number): number {
    if (!this.#isPossible) return this.#end;
    const { filter, terms } = this.#scan;
    if (this.#isIndexed && terms !== undefined) {
      let next = from;
      while (next < this.#end && !terms.isMatch(next)) next += 1;
      return next;
    }
    const { texts, textEnds, tags, tagEnds } = this.#segment.columns;
    if (filter.text !== null) return nextWith(filter.text, texts, textEnds, from, this.#end);
    const [tag] = filter.tags;
    return tag === undefined ? from : nextWith(tag, tags, tagEnds, from, this.#end);
  }

  /** Returns whether a candidate matches. */
  isMatch(index: number): boolean {
    const { nowMs, filter } = this.#scan;
    const { visibleUntil, types } = this.#segment.columns;
    this.#scan.work += CANDIDATE_WORK;
    return (
      nowMs < (visibleUntil[index] ?? 0) &&
      (this.#type === undefined || types[index] === this.#type) &&
      this.#scan.facts?.decide(index) !== false &&
      this.#hasTags(index, filter.tags) &&
      this.#hasTerms(index) &&
      this.#scan.isHidden?.(uuidAt(this.#segment.columns.ids, ID_BYTES * index)) !== true
    );
  }

  /** Adds a match to the scan, unless it is known not to be among the first. */
  found(index: number, ahead: number): void {
    const scan = this.#scan;
    const { facts, columns } = this.#segment;
    const isEnded = (columns.visibleUntil[index] ?? 0) <= (scan.endedMs ?? -Infinity);
    if (scan.tally !== undefined && !isEnded) {
      const revision = columns.revisions[index] ?? 0;
      const terms = scan.terms?.of(index) ?? 0;
      scan.tally.add(columns.ids, ID_BYTES * index, {
        terms,
        revision,
        weighed: this.#weighed(index),
      });
      return;
    }
    const leastKey = scan.leastKeyOf(facts, index);
    const otherTerms = this.#otherTermsOf(index);
    if (scan.isPast(leastKey) && (otherTerms ?? 0) === 0) {
      scan.leaveOut();
      return;
    }
    const { revisions, ids } = columns;
    scan.found(uuidAt(ids, ID_BYTES * index), revisions[index] ?? 0, {
      ahead,
      isEnded,
      leastKey,
      terms: scan.terms?.of(index),
      weighed: copied(this.#weighed(index)),
      otherTerms,
      isMeetingFacts: scan.facts?.decide(index),
    });
  }

  /** Returns how often an entry has each term, if that is asked; in memory that is on loan. */
  #weighed(index: number): WeighedEntry | undefined {
    const { isWeighed, terms } = this.#scan;
    if (!isWeighed || terms === undefined) return undefined;
    const { columns } = this.#segment;
    const { texts } = columns.sizesOf({ start: index, end: index + 1 });
    const [textBytes, eventMillis] = [textBytesOf(texts), columns.eventMillis[index] ?? 0];
    return { times: terms.timesOf(index), textBytes, eventMillis };
  }

  /** Lists the entries from one index up to another one, or down to it. */
  list(from: number, end: number): void {
    const { listed } = this.#scan;
    if (listed === undefined) return;
    const { ids } = this.#segment.columns;
    const by = from < end ? 1 : -1;
    for (let at = from; at !== end; at += by) listed(uuidAt(ids, ID_BYTES * at));
  }

  /** Looks for the terms in an index. Returns whether there is one. */
  #findTerms(terms: ScannedTerms | undefined, range: EntryRange): boolean {
    if (terms === undefined) return false;
    terms.begin(this.#segment.sizes.entries);
    const index = this.#segment.wordIndexFor(this.#scan, terms.wanted.reading);
    if (index !== undefined) terms.findIn(index, this.#segment.columns, range);
    return index !== undefined;
  }

  /** Returns whether an entry has the terms, or the text if the terms made it a candidate. */
  #hasTerms(index: number): boolean {
    const { terms, filter } = this.#scan;
    if (terms === undefined) return true;
    if (this.#isIndexed) return filter.text === null || this.#hasText(index, filter.text);
    this.#findTermsAt(terms, index);
    return terms.isMatch(index);
  }

  /** Returns the bits of the terms of a second order; 0 where these don't match. */
  #otherTermsOf(index: number): number | undefined {
    const { otherTerms } = this.#scan;
    if (otherTerms === undefined) return undefined;
    if (!this.#isOtherIndexed) this.#findTermsAt(otherTerms, index);
    return otherTerms.isMatch(index) ? otherTerms.of(index) : 0;
  }

  #findTermsAt(terms: ScannedTerms, index: number): void {
    const { columns } = this.#segment;
    this.#scan.work += TERMS_WORK * columns.sizesOf({ start: index, end: index + 1 }).texts;
    terms.findAt(columns, index);
  }

  #hasText(index: number, wanted: WantedBytes): boolean {
    const { texts, textEnds } = this.#segment.columns;
    // A view of its own, because a search runs to the end of its bytes.
    const own = texts.subarray(startAt(textEnds, index), textEnds[index]);
    return wanted.indexIn(own, 0, own.length) !== -1;
  }

  #hasTags(index: number, wanted: readonly WantedBytes[]): boolean {
    if (wanted.length === 0) return true;
    const { tags, tagEnds } = this.#segment.columns;
    // A view of its own, because a search runs to the end of its bytes.
    const own = tags.subarray(startAt(tagEnds, index), tagEnds[index]);
    return wanted.every((tag) => tag.indexIn(own, 0, own.length) !== -1);
  }
}

function copied(weighed: WeighedEntry | undefined): WeighedEntry | undefined {
  return weighed && { ...weighed, times: weighed.times.slice() };
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
