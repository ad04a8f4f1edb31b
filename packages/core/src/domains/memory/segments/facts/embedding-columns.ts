/** The known embeddings of the records of a segment in one space. */
import { SEARCH_DIMENSIONS_MAX } from '../../../../contract/limits.js';
import type { HeldEmbeddings } from '../../../../kernel/ports/memory-scan.js';
import { bytesOfVectors, RoundedVectors } from '../../vectors/rounded-vectors.js';
import type { EntryRange } from '../columns/columns.js';

/** Bytes of the members of fixed size of an entry. */
const FIXED_BYTES = 2 + 1;

/** Columns that are filled one entry at a time. */
export class EmbeddingColumns implements HeldEmbeddings {
  readonly dimensions: Uint16Array;
  readonly #known: Uint8Array;
  #vectors: RoundedVectors | undefined;

  constructor(entries: number) {
    this.dimensions = new Uint16Array(entries);
    this.#known = new Uint8Array(entries);
  }

  /** The embeddings of the dimension that was learned first. */
  get vectors(): RoundedVectors | undefined {
    return this.#vectors;
  }

  /** Memory that they take, in bytes. */
  get bytes(): number {
    const entries = this.#known.length;
    const dimension = this.#vectors?.dimension ?? 0;
    return FIXED_BYTES * entries + (dimension === 0 ? 0 : bytesOfVectors(entries, dimension));
  }

  /** Returns the memory that an embedding of a dimension takes in addition, in bytes. */
  bytesToLearn(dimension: number): number {
    const isNew = this.#vectors === undefined && dimension > 0;
    return isNew ? bytesOfVectors(this.#known.length, dimension) : 0;
  }

  /** Returns whether the embedding of an entry is known, or that it has none. */
  isKnown(index: number): boolean {
    return this.#known[index] === 1;
  }

  /** Learns the embedding of an entry; empty if it has none. */
  learn(index: number, embedding: readonly number[]): void {
    const { length } = embedding;
    if (length > SEARCH_DIMENSIONS_MAX) return;
    this.dimensions[index] = length;
    this.#known[index] = 1;
    if (length === 0) return;
    this.#vectors ??= new RoundedVectors(this.#known.length, length);
    if (this.#vectors.dimension === length) this.#vectors.set(index, embedding);
  }

  /** Forgets the embedding of an entry. */
  forget(index: number): void {
    this.#known[index] = 0;
  }

  /** Copies embeddings of entries of another segment after the first `behind` ones. */
  copy(from: EmbeddingColumns, range: EntryRange, behind: number): void {
    const { start, end } = range;
    this.dimensions.set(from.dimensions.subarray(start, end), behind);
    this.#known.set(from.#known.subarray(start, end), behind);
    const { vectors } = from;
    if (vectors === undefined) return;
    this.#vectors ??= new RoundedVectors(this.#known.length, vectors.dimension);
    if (this.#vectors.dimension === vectors.dimension) this.#vectors.copy(vectors, range, behind);
  }
}
