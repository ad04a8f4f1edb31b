/** The members of some search entries, one array for each, so that one search covers all texts. */

/** Bytes of the members of fixed size of an entry. */
const FIXED_BYTES = 8 + 8 + 8 + 4 + 4 + 16 + 1;

/** Bytes of an id. */
export const ID_BYTES = 16;

/** The numbers that determine the memory of columns. */
export interface ColumnSizes {
  readonly entries: number;
  readonly texts: number;
  readonly tags: number;
}

/** Some entries in a row, by their indexes. */
export interface EntryRange {
  readonly start: number;
  /** The index after the last one. */
  readonly end: number;
}

/** Columns in one block of memory, so that they are allocated and freed together. */
export class Columns {
  readonly revisions: Float64Array;
  /** When records stop being visible: `Infinity` for never, `-Infinity` for tombstones. */
  readonly visibleUntil: Float64Array;
  readonly eventMillis: Float64Array;
  /** Where the texts of each entry end; they start where those before end. */
  readonly textEnds: Uint32Array;
  /** Where the tags of each entry end. */
  readonly tagEnds: Uint32Array;
  readonly ids: Buffer;
  /** Indexes of the types in a list of the distinct ones. */
  readonly types: Uint8Array;
  readonly texts: Buffer;
  readonly tags: Buffer;

  constructor({ entries, texts, tags }: ColumnSizes) {
    const { buffer } = Buffer.allocUnsafeSlow(bytesOfColumns({ entries, texts, tags }));
    let at = 0;
    const next = (bytes: number): number => (at += bytes) - bytes;
    this.revisions = new Float64Array(buffer, next(8 * entries), entries);
    this.visibleUntil = new Float64Array(buffer, next(8 * entries), entries);
    this.eventMillis = new Float64Array(buffer, next(8 * entries), entries);
    this.textEnds = new Uint32Array(buffer, next(4 * entries), entries);
    this.tagEnds = new Uint32Array(buffer, next(4 * entries), entries);
    this.ids = Buffer.from(buffer, next(ID_BYTES * entries), ID_BYTES * entries);
    this.types = new Uint8Array(buffer, next(entries), entries);
    this.texts = Buffer.from(buffer, next(texts), texts);
    this.tags = Buffer.from(buffer, next(tags), tags);
  }

  /** Returns the sizes of some entries. */
  sizesOf({ start, end }: EntryRange): ColumnSizes {
    return {
      entries: end - start,
      texts: startAt(this.textEnds, end) - startAt(this.textEnds, start),
      tags: startAt(this.tagEnds, end) - startAt(this.tagEnds, start),
    };
  }

  /** Copies entries of other columns after the first entries of these. */
  copy(from: Columns, { start, end }: EntryRange, behind: ColumnSizes): void {
    const textsAt = startAt(from.textEnds, start);
    const tagsAt = startAt(from.tagEnds, start);
    this.revisions.set(from.revisions.subarray(start, end), behind.entries);
    this.visibleUntil.set(from.visibleUntil.subarray(start, end), behind.entries);
    this.eventMillis.set(from.eventMillis.subarray(start, end), behind.entries);
    this.ids.set(from.ids.subarray(ID_BYTES * start, ID_BYTES * end), ID_BYTES * behind.entries);
    this.types.set(from.types.subarray(start, end), behind.entries);
    this.texts.set(from.texts.subarray(textsAt, startAt(from.textEnds, end)), behind.texts);
    this.tags.set(from.tags.subarray(tagsAt, startAt(from.tagEnds, end)), behind.tags);
    for (let index = start; index < end; index += 1) {
      const at = behind.entries + index - start;
      this.textEnds[at] = behind.texts + (from.textEnds[index] ?? 0) - textsAt;
      this.tagEnds[at] = behind.tags + (from.tagEnds[index] ?? 0) - tagsAt;
    }
  }
}

/** Returns where the part of an entry starts, from where the parts end. */
export function startAt(ends: Uint32Array, index: number): number {
  return index === 0 ? 0 : (ends[index - 1] ?? 0);
}

/** Returns the memory of columns, in bytes. */
export function bytesOfColumns({ entries, texts, tags }: ColumnSizes): number {
  return FIXED_BYTES * entries + texts + tags;
}
