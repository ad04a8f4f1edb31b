/** The known facts of the records of a segment. */
import { SEARCH_DIMENSIONS_MAX } from '../../../contract/limits.js';
import type { HeldFacts, RankFacts, RecordFacts } from '../../../runtime/ports/memory-scan.js';
import { bytesOfVectors, RoundedVectors } from '../../vectors/rounded-vectors.js';
import type { EntryRange } from '../columns/columns.js';
import { FactColumns } from './fact-columns.js';

/** Bytes of the members of fixed size of an entry. */
const FIXED_BYTES = 8 + 8 + 2 + 1;

/** Columns of facts, filled one entry at a time. */
export class SegmentFacts implements HeldFacts {
  readonly eventMillis: Float64Array;
  readonly modifiedMillis: Float64Array;
  readonly dimensions: Uint16Array;
  readonly #known: Uint8Array;
  #vectors: RoundedVectors | undefined;
  #columns: FactColumns | undefined;

  constructor(entries: number) {
    this.eventMillis = new Float64Array(entries);
    this.modifiedMillis = new Float64Array(entries);
    this.dimensions = new Uint16Array(entries);
    this.#known = new Uint8Array(entries);
  }

  /** The embeddings of the dimension that was learned first. */
  get vectors(): RoundedVectors | undefined {
    return this.#vectors;
  }

  /** Values that filters asked for. */
  get columns(): FactColumns | undefined {
    return this.#columns;
  }

  /** Memory that it takes, in bytes. */
  get bytes(): number {
    const ranks = bytesOfFacts(this.#known.length, this.#vectors?.dimension ?? 0);
    return ranks + (this.#columns?.bytes ?? 0);
  }

  /** Returns the most memory that facts of an entry take in addition, in bytes. */
  bytesToLearn({ ranks, values }: RecordFacts): number {
    const dimension = ranks?.embedding.length ?? 0;
    const isNew = this.#vectors === undefined && dimension > 0;
    const vectors = isNew ? bytesOfVectors(this.#known.length, dimension) : 0;
    const columns = this.#columns ?? new FactColumns(this.#known.length);
    return vectors + columns.bytesToLearn(values);
  }

  /** Returns whether the facts of an entry that orders need are known. */
  isKnown(index: number): boolean {
    return this.#known[index] === 1;
  }

  /** Learns the facts of an entry. */
  learn(index: number, { ranks, values }: RecordFacts): void {
    if (values.length > 0) {
      this.#columns ??= new FactColumns(this.#known.length);
      this.#columns.learn(index, values);
    }
    if (ranks !== undefined) this.#learnRanks(index, ranks);
  }

  #learnRanks(index: number, { eventMillis, modifiedMillis, embedding }: RankFacts): void {
    const { length } = embedding;
    if (length > SEARCH_DIMENSIONS_MAX) return;
    this.eventMillis[index] = eventMillis;
    this.modifiedMillis[index] = modifiedMillis;
    this.dimensions[index] = length;
    this.#known[index] = 1;
    if (length === 0) return;
    this.#vectors ??= new RoundedVectors(this.#known.length, length);
    if (this.#vectors.dimension === length) this.#vectors.set(index, embedding);
  }

  /** Forgets the facts of an entry. */
  forget(index: number): void {
    this.#known[index] = 0;
    this.#columns?.forget(index);
  }

  /** Copies facts of entries of another segment after the first `behind` ones. */
  copy(from: SegmentFacts, range: EntryRange, behind: number): void {
    const { start, end } = range;
    this.eventMillis.set(from.eventMillis.subarray(start, end), behind);
    this.modifiedMillis.set(from.modifiedMillis.subarray(start, end), behind);
    this.dimensions.set(from.dimensions.subarray(start, end), behind);
    this.#known.set(from.#known.subarray(start, end), behind);
    if (from.#columns !== undefined) {
      this.#columns ??= new FactColumns(this.#known.length);
      this.#columns.copy(from.#columns, range, behind);
    }
    const { vectors } = from;
    if (vectors === undefined) return;
    this.#vectors ??= new RoundedVectors(this.#known.length, vectors.dimension);
    if (this.#vectors.dimension === vectors.dimension) this.#vectors.copy(vectors, range, behind);
  }
}

/** Returns the memory of facts, in bytes; the dimension is 0 without vectors. */
function bytesOfFacts(entries: number, dimension: number): number {
  const vectors = dimension === 0 ? 0 : bytesOfVectors(entries, dimension);
  return FIXED_BYTES * entries + vectors;
}
