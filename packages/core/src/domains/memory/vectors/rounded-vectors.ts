/** Embeddings of one dimension, rounded to one byte for each component. */
import type { RoundedEmbeddings } from '../../../kernel/ports/memory-scan.js';
import { strideOf } from './dot-products.js';
import { roundTo } from './round.js';

const CODE_MAX = 127;
/** Bytes of scale, length and error. */
const NUMBERS_BYTES = 8 + 8 + 8;

/** A fixed number of embeddings, filled one at a time. */
export class RoundedVectors implements RoundedEmbeddings {
  readonly dimension: number;
  readonly stride: number;
  readonly codes: Int8Array;
  readonly scales: Float64Array;
  readonly lengths: Float64Array;
  readonly errors: Float64Array;

  constructor(entries: number, dimension: number) {
    this.dimension = dimension;
    this.stride = strideOf(dimension);
    this.codes = new Int8Array(entries * this.stride);
    this.scales = new Float64Array(entries);
    this.lengths = new Float64Array(entries);
    this.errors = new Float64Array(entries);
  }

  /** Rounds an embedding and puts it at an index. */
  set(index: number, embedding: readonly number[]): void {
    const at = index * this.stride;
    const codes = this.codes.subarray(at, at + this.stride);
    const { scale, length, error } = roundTo(codes, CODE_MAX, embedding);
    this.scales[index] = scale;
    this.lengths[index] = length;
    this.errors[index] = error;
  }

  /** Copies embeddings of the same dimension after the first `behind` ones. */
  copy(
    from: RoundedVectors,
    { start, end }: { readonly start: number; readonly end: number },
    behind: number,
  ): void {
    const { stride } = this;
    this.codes.set(from.codes.subarray(start * stride, end * stride), behind * stride);
    this.scales.set(from.scales.subarray(start, end), behind);
    this.lengths.set(from.lengths.subarray(start, end), behind);
    this.errors.set(from.errors.subarray(start, end), behind);
  }
}

/** Returns the memory of rounded embeddings, in bytes. */
export function bytesOfVectors(entries: number, dimension: number): number {
  return entries * (NUMBERS_BYTES + strideOf(dimension));
}
