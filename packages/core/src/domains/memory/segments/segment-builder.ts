/** Builds segments from stored entries as a scan visits them, and from smaller segments. */
import { keyBytes } from '../../../storage/store/bytes.js';
import { idOfEntryInto } from '../record/memory-store.js';
import type { StoredSearchEntry } from '../record/search-entry.js';
import { Columns, type ColumnSizes, type EntryRange, ID_BYTES } from './columns/columns.js';
import { AFTER_ALL, BEFORE_ALL } from './columns/id-text.js';
import { Segment, SEGMENT_BYTES, SEGMENT_ENTRIES, type SegmentState } from './segment.js';
import { SegmentFacts } from './facts/segment-facts.js';

/** Room beyond a full segment for its last entry; a longer one makes the room grow. */
const LAST_ENTRY_BYTES = 131_072;

const NOTHING: ColumnSizes = { entries: 0, texts: 0, tags: 0 };

/** Sizes of segments; smaller in tests. */
export interface SegmentLimits {
  readonly entries: number;
  readonly bytes: number;
}

/** The limits that segments have. */
const segmentLimits: SegmentLimits = { entries: SEGMENT_ENTRIES, bytes: SEGMENT_BYTES };

/** An entry that was written. Null if it was removed. */
export interface EntryChange {
  readonly idText: string;
  readonly entry: StoredSearchEntry | null;
}

/** Entries of a segment that were appended. */
interface Piece {
  readonly facts: SegmentFacts | undefined;
  readonly range: EntryRange;
  /** Number of entries before them. */
  readonly behind: number;
}

/** Collects entries in ascending order. It is reused, because its memory holds a full segment. */
export class SegmentBuilder {
  readonly #limits: SegmentLimits;
  #columns: Columns;
  #capacity: ColumnSizes;
  #sizes = NOTHING;
  #types: string[] = [];
  #after = BEFORE_ALL;
  #done: Segment[] = [];

  constructor(limits: SegmentLimits = segmentLimits) {
    const bytes = limits.bytes + LAST_ENTRY_BYTES;
    this.#limits = limits;
    this.#capacity = { entries: limits.entries, texts: bytes, tags: bytes };
    this.#columns = new Columns(this.#capacity);
  }

  /** Starts a range after an id text. Drops an unfinished one. */
  begin(after: string): void {
    this.#reset(after);
    this.#done = [];
  }

  /** Adds the next entry. */
  readonly add = (entry: StoredSearchEntry, key: Uint8Array): void => {
    if (this.#isFull()) this.#seal(this.#lastId());
    this.#push(entry, key);
  };

  /** The id is at the end of the key. */
  #push(entry: StoredSearchEntry, key: Uint8Array): void {
    const { bytes, typeAt, tagsAt, textsAt, end } = entry.spans();
    const { entries, texts, tags } = this.#sizes;
    const sizes = {
      entries: entries + 1,
      texts: texts + end - textsAt,
      tags: tags + textsAt - tagsAt,
    };
    this.#makeRoom(sizes, this.#sizes);
    const columns = this.#columns;
    bytes.copy(columns.texts, texts, textsAt, end);
    bytes.copy(columns.tags, tags, tagsAt, textsAt);
    idOfEntryInto(key, columns.ids, ID_BYTES * entries);
    columns.revisions[entries] = entry.revision;
    columns.visibleUntil[entries] = entry.visibleUntilMillis;
    columns.eventMillis[entries] = entry.eventMillis;
    columns.types[entries] = this.#typeIndex(bytes.toString('latin1', typeAt, tagsAt));
    columns.textEnds[entries] = sizes.texts;
    columns.tagEnds[entries] = sizes.tags;
    this.#sizes = sizes;
  }

  /** Ends the range at an id text and returns its segments. */
  finish(through: string): readonly Segment[] {
    this.#seal(through);
    return this.#done;
  }

  /** Joins adjacent segments to one, or returns `undefined` if it would be too large. */
  join(parts: readonly Segment[]): Segment | undefined {
    const entries = sum(parts, ({ sizes }) => sizes.entries);
    const bytes = sum(parts, ({ sizes }) => sizes.texts + sizes.tags);
    if (entries > this.#limits.entries || bytes > this.#limits.bytes) return undefined;
    this.begin(parts[0]?.after ?? BEFORE_ALL);
    const pieces = parts.map((part) => this.#append(part, { start: 0, end: part.sizes.entries }));
    this.#seal(parts.at(-1)?.through ?? BEFORE_ALL, { facts: this.#factsOf(pieces) });
    return this.#done[0];
  }

  /**
   * Returns a segment with changes applied, or `undefined` if it would be too large. The changes
   * must be in ascending order.
   */
  patch(segment: Segment, changes: readonly EntryChange[]): Segment | undefined {
    const { sizes, after, through, patches } = segment;
    const isNew = ({ idText, entry }: EntryChange) =>
      entry !== null && !segment.find(idText).isHeld;
    if (sizes.entries + changes.filter(isNew).length > this.#limits.entries) return undefined;
    this.begin(after);
    const pieces: Piece[] = [];
    let start = 0;
    for (const { idText, entry } of changes) {
      const { index, isHeld } = segment.find(idText);
      pieces.push(this.#append(segment, { start, end: index }));
      if (entry !== null) this.#push(entry, keyBytes(idText));
      start = isHeld ? index + 1 : index;
    }
    pieces.push(this.#append(segment, { start, end: sizes.entries }));
    const { texts, tags } = this.#sizes;
    if (texts + tags > 2 * this.#limits.bytes) return undefined;
    this.#seal(through, { facts: this.#factsOf(pieces), patches: patches + 1 });
    return this.#done[0];
  }

  /** Returns whether a segment without neighbours is worth its memory. */
  isWorthKeeping({ after, through, sizes }: Segment): boolean {
    const { entries, bytes } = this.#limits;
    if (sizes.entries === 0) return false;
    // Scans begin at an end of the scope more often than anywhere else.
    if (after === BEFORE_ALL || through === AFTER_ALL) return true;
    return 2 * sizes.entries >= entries || 2 * (sizes.texts + sizes.tags) >= bytes;
  }

  #append({ columns, types, facts }: Segment, range: EntryRange): Piece {
    const before = this.#sizes;
    const added = columns.sizesOf(range);
    this.#sizes = {
      entries: before.entries + added.entries,
      texts: before.texts + added.texts,
      tags: before.tags + added.tags,
    };
    this.#makeRoom(this.#sizes, before);
    this.#columns.copy(columns, range, before);
    const indexes = types.map((type) => this.#typeIndex(type));
    for (let index = 0; index < added.entries; index += 1) {
      const type = columns.types[range.start + index] ?? 0;
      this.#columns.types[before.entries + index] = indexes[type] ?? 0;
    }
    return { facts, range, behind: before.entries };
  }

  /** Returns the facts of the pieces together; `undefined` if none are known. */
  #factsOf(pieces: readonly Piece[]): SegmentFacts | undefined {
    if (pieces.every(({ facts }) => facts === undefined)) return undefined;
    const all = new SegmentFacts(this.#sizes.entries);
    for (const { facts, range, behind } of pieces) {
      if (facts !== undefined) all.copy(facts, range, behind);
    }
    return all;
  }

  #isFull(): boolean {
    const { entries, texts, tags } = this.#sizes;
    return entries >= this.#limits.entries || texts + tags >= this.#limits.bytes;
  }

  /** Makes a segment of the added entries, in its own memory. */
  #seal(through: string, state: SegmentState = {}): void {
    const sizes = this.#sizes;
    const columns = new Columns(sizes);
    columns.copy(this.#columns, { start: 0, end: sizes.entries }, NOTHING);
    this.#done.push(
      new Segment({ after: this.#after, through, sizes, columns, types: this.#types }, state),
    );
    this.#reset(through);
  }

  #reset(after: string): void {
    this.#after = after;
    this.#sizes = NOTHING;
    this.#types = [];
  }

  /** Grows the columns to these sizes. Keeps the entries that are already there. */
  #makeRoom({ texts, tags }: ColumnSizes, { entries: end }: ColumnSizes): void {
    const room = this.#capacity;
    if (texts <= room.texts && tags <= room.tags) return;
    this.#capacity = {
      entries: room.entries,
      texts: texts <= room.texts ? room.texts : 2 * texts,
      tags: tags <= room.tags ? room.tags : 2 * tags,
    };
    const grown = new Columns(this.#capacity);
    grown.copy(this.#columns, { start: 0, end }, NOTHING);
    this.#columns = grown;
  }

  #typeIndex(type: string): number {
    const known = this.#types.indexOf(type);
    return known === -1 ? this.#types.push(type) - 1 : known;
  }

  #lastId(): string {
    const { entries } = this.#sizes;
    return this.#columns.ids.toString('latin1', ID_BYTES * (entries - 1), ID_BYTES * entries);
  }
}

function sum(parts: readonly Segment[], numberOf: (part: Segment) => number): number {
  return parts.reduce((total, part) => total + numberOf(part), 0);
}
