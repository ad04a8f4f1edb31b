/** The members of some search entries, one array for each, so that one search covers all texts. */

/** Bytes of the members of fixed size of an entry. */
const FIXED_BYTES = 8 + 8 + 4 + 4 + 16 + 1;

/** Bytes of an id. */
export const ID_BYTES = 16;

/** The numbers that determine the memory of columns. */
export interface ColumnSizes {
  readonly entries: number;
  readonly texts: number;
  readonly tags: number;
}

/** Columns in one block of memory, so that they are allocated and freed together. */
export class Columns {
  readonly revisions: Float64Array;
  /** When records stop being visible: `Infinity` for never, `-Infinity` for tombstones. */
  readonly visibleUntil: Float64Array;
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
    this.textEnds = new Uint32Array(buffer, next(4 * entries), entries);
    this.tagEnds = new Uint32Array(buffer, next(4 * entries), entries);
    this.ids = Buffer.from(buffer, next(ID_BYTES * entries), ID_BYTES * entries);
    this.types = new Uint8Array(buffer, next(entries), entries);
    this.texts = Buffer.from(buffer, next(texts), texts);
    this.tags = Buffer.from(buffer, next(tags), tags);
  }

  /** Copies the first entries of other columns to the place after some entries of these. */
  copy(from: Columns, sizes: ColumnSizes, behind: ColumnSizes): void {
    const { entries, texts, tags } = sizes;
    this.revisions.set(from.revisions.subarray(0, entries), behind.entries);
    this.visibleUntil.set(from.visibleUntil.subarray(0, entries), behind.entries);
    this.ids.set(from.ids.subarray(0, ID_BYTES * entries), ID_BYTES * behind.entries);
    this.types.set(from.types.subarray(0, entries), behind.entries);
    this.texts.set(from.texts.subarray(0, texts), behind.texts);
    this.tags.set(from.tags.subarray(0, tags), behind.tags);
    for (let index = 0; index < entries; index += 1) {
      this.textEnds[behind.entries + index] = behind.texts + (from.textEnds[index] ?? 0);
      this.tagEnds[behind.entries + index] = behind.tags + (from.tagEnds[index] ?? 0);
    }
  }
}

/** Returns the memory of columns, in bytes. */
export function bytesOfColumns({ entries, texts, tags }: ColumnSizes): number {
  return FIXED_BYTES * entries + texts + tags;
}
