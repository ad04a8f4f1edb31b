/** Facts of the entries of a segment. */
import { SEARCH_DIMENSIONS_MAX } from '../../../../contract/limits.js';
import type {
  HeldEmbeddings,
  HeldFacts,
  HeldText,
  RankFacts,
  RecordFacts,
} from '../../../../kernel/ports/memory-scan.js';
import { bytesOfVectors, RoundedVectors } from '../../vectors/rounded-vectors.js';
import type { EntryRange } from '../columns/columns.js';
import { FactColumns } from './fact-columns.js';

/** Bytes of the members of fixed size of an entry. */
const COLUMN_BYTES = 2 + 1;

/** Columns that are filled one entry at a time. */
class EmbeddingColumns implements HeldEmbeddings {
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
    return COLUMN_BYTES * entries + (dimension === 0 ? 0 : bytesOfVectors(entries, dimension));
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

/** Bytes of the members of fixed size of an entry. */
const FIXED_BYTES = 8 + 8 + 1;

/** Memory of a long text beside its sentences, in bytes. */
const TEXT_BYTES = 128;

/** Embedding spaces that a segment knows; beyond them, the one that came first is dropped. */
const SPACES_MAX = 3;

/** Columns of facts, filled one entry at a time. */
export class SegmentFacts implements HeldFacts {
  readonly eventMillis: Float64Array;
  readonly modifiedMillis: Float64Array;
  readonly #known: Uint8Array;
  readonly #spaces = new Map<string, EmbeddingColumns>();
  #columns: FactColumns | undefined;
  /** Long texts, by the index of their entry. */
  readonly #texts = new Map<number, HeldText>();
  #textBytes = 0;

  constructor(entries: number) {
    this.eventMillis = new Float64Array(entries);
    this.modifiedMillis = new Float64Array(entries);
    this.#known = new Uint8Array(entries);
  }

  /** Returns the embeddings in a space, if any are known. */
  embeddingsIn(space: string): EmbeddingColumns | undefined {
    return this.#spaces.get(space);
  }

  /** Returns the cached text of an entry, if there is one. */
  textOf(index: number): HeldText | undefined {
    return this.#texts.get(index);
  }

  /** Values that filters asked for. */
  get columns(): FactColumns | undefined {
    return this.#columns;
  }

  /** Memory that it takes, in bytes. */
  get bytes(): number {
    let bytes = FIXED_BYTES * this.#known.length + (this.#columns?.bytes ?? 0) + this.#textBytes;
    for (const space of this.#spaces.values()) bytes += space.bytes;
    return bytes;
  }

  /** Returns the most memory that facts of an entry take in addition, in bytes. */
  bytesToLearn({ ranks, values, text }: RecordFacts): number {
    const columns = this.#columns ?? new FactColumns(this.#known.length);
    const ranked = ranks === undefined ? 0 : this.#bytesToRank(ranks);
    return columns.bytesToLearn(values) + ranked + bytesOfText(text);
  }

  #bytesToRank({ space, embedding }: RankFacts): number {
    const known = this.#spaces.get(space);
    if (known !== undefined) return known.bytesToLearn(embedding.length);
    const fresh = new EmbeddingColumns(this.#known.length);
    return fresh.bytes + fresh.bytesToLearn(embedding.length);
  }

  /** Returns whether the facts of an entry that orders need are known. */
  isKnown(index: number): boolean {
    return this.#known[index] === 1;
  }

  /** Learns the facts of an entry. */
  learn(index: number, { ranks, values, text }: RecordFacts): void {
    if (text !== undefined) this.#setText(index, text);
    if (values.length > 0) {
      this.#columns ??= new FactColumns(this.#known.length);
      this.#columns.learn(index, values);
    }
    if (ranks === undefined) return;
    this.eventMillis[index] = ranks.eventMillis;
    this.modifiedMillis[index] = ranks.modifiedMillis;
    this.#known[index] = 1;
    this.#spaceFor(ranks.space).learn(index, ranks.embedding);
  }

  /** Forgets the facts of an entry. */
  forget(index: number): void {
    this.#known[index] = 0;
    for (const space of this.#spaces.values()) space.forget(index);
    this.#columns?.forget(index);
    this.#setText(index, undefined);
  }

  /** Copies facts of entries of another segment after the first `behind` ones. */
  copy(from: SegmentFacts, range: EntryRange, behind: number): void {
    const { start, end } = range;
    this.eventMillis.set(from.eventMillis.subarray(start, end), behind);
    this.modifiedMillis.set(from.modifiedMillis.subarray(start, end), behind);
    this.#known.set(from.#known.subarray(start, end), behind);
    for (const [name, space] of from.#spaces) this.#spaceFor(name).copy(space, range, behind);
    if (from.#columns !== undefined) {
      this.#columns ??= new FactColumns(this.#known.length);
      this.#columns.copy(from.#columns, range, behind);
    }
    for (const [index, text] of from.#texts) {
      if (index >= start && index < end) this.#setText(behind + index - start, text);
    }
  }

  #setText(index: number, text: HeldText | undefined): void {
    this.#textBytes += bytesOfText(text) - bytesOfText(this.#texts.get(index));
    if (text === undefined) this.#texts.delete(index);
    else this.#texts.set(index, text);
  }

  #spaceFor(name: string): EmbeddingColumns {
    const known = this.#spaces.get(name);
    if (known !== undefined) return known;
    const [oldest] = this.#spaces.keys();
    if (oldest !== undefined && this.#spaces.size === SPACES_MAX) this.#spaces.delete(oldest);
    const fresh = new EmbeddingColumns(this.#known.length);
    this.#spaces.set(name, fresh);
    return fresh;
  }
}

function bytesOfText(text: HeldText | undefined): number {
  return text === undefined ? 0 : TEXT_BYTES + (text.sentences?.bytes ?? 0);
}
