/** The segments of one namespace: disjoint ranges of ids in order, with gaps between them. */
import type { RecordFacts } from '../../../kernel/ports/memory-scan.js';
import { openEntry } from '../record/memory-store.js';
import { AFTER_ALL, BEFORE_ALL, idTextOf } from './columns/id-text.js';
import type { Segment } from './segment.js';
import type { EntryChange, SegmentBuilder } from './segment-builder.js';

/** Memory of a namespace without its segments, about. */
export const NAMESPACE_BYTES = 1_024;

/** A search entry that a commit wrote. */
export interface WrittenEntry {
  readonly idText: string;
  /** Its whole key, as text of one character per byte. */
  readonly key: string;
  /** Its stored value, on loan; `undefined` if it was removed. */
  readonly value: Uint8Array | undefined;
}

/** Segments of a namespace. */
export class NamespaceSegments {
  readonly #segments: Segment[] = [];
  #bytes = NAMESPACE_BYTES;

  /** Memory that it takes, in bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Returns whether nothing is held. */
  get isEmpty(): boolean {
    return this.#segments.length === 0;
  }

  /** Yields the segments that hold, one after the other, all entries right after an id text. */
  *from(after: string): Generator<Segment, void> {
    let position = after;
    for (let index = this.#indexBehind(after); ; index += 1) {
      const segment = this.#segments[index];
      if (segment === undefined || segment.after > position) return;
      yield segment;
      position = segment.through;
    }
  }

  /** Yields the segments that hold, one before the other, all entries right up to an id text. */
  *backFrom(idText: string): Generator<Segment, void> {
    let position = idText;
    for (let index = this.#indexBehind(idText, true); ; index -= 1) {
      const segment = this.#segments[index];
      if (segment === undefined || segment.after >= position || segment.through < position) return;
      yield segment;
      position = segment.after;
    }
  }

  /** Returns the segment that holds the entries right up to an id text, itself included. */
  holding(idText: string): Segment | undefined {
    const segment = this.#segments[this.#indexBehind(idText, true)];
    return segment !== undefined && segment.after < idText ? segment : undefined;
  }

  /** Returns where the last segment ends that is completely before an id text. */
  lastThroughBefore(idText: string): string | undefined {
    return this.#segments[this.#indexBehind(idText, true) - 1]?.through;
  }

  /** Returns where the first segment starts that is completely after an id text. */
  nextAfter(idText: string): string | undefined {
    return this.#segments[this.#indexBehind(idText)]?.after;
  }

  /**
   * Adds a segment of a gap, and joins it with its neighbours if they fit together. One that has
   * no neighbour, few entries, and neither end of the scope is left out, so that scans from
   * arbitrary places leave no crumbs.
   */
  add(segment: Segment, builder: SegmentBuilder): void {
    const index = this.#indexBehind(segment.after);
    const following = this.#segments[index];
    // Another query may have filled the gap meanwhile.
    if (following !== undefined && following.after < segment.through) return;
    const before = this.#segments[index - 1];
    const isBehind = before?.through === segment.after;
    const isBeside = following?.after === segment.through;
    const start = isBehind ? index - 1 : index;
    const neighbours = [...(isBehind ? [before] : []), segment, ...(isBeside ? [following] : [])];
    if (neighbours.length === 1 && !builder.isWorthKeeping(segment)) return;
    this.#replace(start, neighbours.length - 1, joined(neighbours, builder));
  }

  /** Updates segments with the entries that a commit wrote, in ascending order. */
  written(writes: readonly WrittenEntry[], builder: SegmentBuilder): void {
    for (let start = 0; start < writes.length;) {
      const index = this.#indexBehind(writes[start]?.idText ?? AFTER_ALL, true);
      const segment = this.#segments[index];
      if (segment === undefined) return;
      const { after, through } = segment;
      let end = start;
      while (end < writes.length && (writes[end]?.idText ?? AFTER_ALL) <= through) end += 1;
      const own = writes.slice(start, end).filter(({ idText }) => idText > after);
      if (own.length > 0) this.#patch(index, segment, own, builder);
      start = end;
    }
  }

  #patch(
    index: number,
    segment: Segment,
    writes: readonly WrittenEntry[],
    builder: SegmentBuilder,
  ): void {
    const { lastId } = segment;
    // New records at the end cost nothing: the segment ends before them from now on.
    const isOpen = segment.through === AFTER_ALL && lastId !== undefined;
    const changed = isOpen ? writes.filter(({ idText }) => idText <= lastId) : writes;
    const left = isOpen && changed.length < writes.length ? segment.withThrough(lastId) : segment;
    if (changed.length === 0) {
      this.#replace(index, 1, [left]);
      return;
    }
    this.#replace(index, 1, []);
    const patched = left.isWorthPatching ? patchedWith(left, changed, builder) : undefined;
    if (patched !== undefined) this.add(patched, builder);
  }

  /** Searches a segment that is held, which may make an index. */
  search(segment: Segment, search: () => void): void {
    const before = segment.bytes;
    search();
    this.#bytes += segment.bytes - before;
  }

  /** Returns the memory that facts of a record take, in bytes; `undefined` without its segment. */
  bytesToLearn(facts: RecordFacts): number | undefined {
    return this.holding(idTextOf(facts.recordId))?.bytesToLearn(facts);
  }

  /** Learns facts of a record, if its segment is held. */
  learn(facts: RecordFacts): void {
    const segment = this.holding(idTextOf(facts.recordId));
    if (segment === undefined) return;
    const before = segment.bytes;
    segment.learn(facts);
    this.#bytes += segment.bytes - before;
  }

  /** Forgets the facts of a record. */
  forgetFacts(idText: string): void {
    const segment = this.holding(idText);
    if (segment === undefined) return;
    const before = segment.bytes;
    segment.forgetFacts(idText);
    this.#bytes += segment.bytes - before;
  }

  /** Drops all segments. */
  clear(): void {
    this.#replace(0, this.#segments.length, []);
  }

  /** Drops the last segment. */
  dropLast(): void {
    this.#replace(this.#segments.length - 1, 1, []);
  }

  /** Returns the index of the first segment through an id after this one, or through this one. */
  #indexBehind(idText: string, isIncluded = false): number {
    let low = 0;
    let high = this.#segments.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const through = this.#segments[middle]?.through ?? BEFORE_ALL;
      if (through < idText || (through === idText && !isIncluded)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #replace(start: number, count: number, segments: readonly Segment[]): void {
    for (const segment of this.#segments.splice(start, count, ...segments)) {
      this.#bytes -= segment.bytes;
    }
    for (const segment of segments) this.#bytes += segment.bytes;
  }
}

/** Returns a segment with entries as they were written, if they verify and fit. */
function patchedWith(
  segment: Segment,
  writes: readonly WrittenEntry[],
  builder: SegmentBuilder,
): Segment | undefined {
  const changes: EntryChange[] = [];
  for (const { idText, key, value } of writes) {
    const entry = value === undefined ? null : openEntry(key, value);
    // A scan reads it from the store again, and fails there.
    if (entry === undefined) return undefined;
    changes.push({ idText, entry });
  }
  return builder.patch(segment, changes);
}

/** Returns adjacent segments with as many of them joined as fit together. */
function joined(segments: readonly Segment[], builder: SegmentBuilder): readonly Segment[] {
  const done: Segment[] = [];
  for (const segment of segments) {
    const before = done.at(-1);
    const both = before === undefined ? undefined : builder.join([before, segment]);
    if (both !== undefined) done.pop();
    done.push(both ?? segment);
  }
  return done;
}
