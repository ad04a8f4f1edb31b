/** Rounded copies of vectors. */
import type { RoundedEmbeddings } from '../../../kernel/ports/memory-scan.js';
import { strideOf } from './dot-products.js';

/** Covers the rounding of sums of 64-bit numbers, of as many as a vector has components. */
export const SUM_SLACK = 1e-9;

/** The numbers of a rounded vector that its codes lack. */
export interface Rounding {
  /** What one unit of a code stands for. */
  readonly scale: number;
  /** Euclidean length of the vector. */
  readonly length: number;
  /** An upper bound of the Euclidean length of the rounding error. */
  readonly error: number;
}

/** Writes the components of a vector as integers from `-most` to `most`. */
export function roundTo(
  codes: Int8Array | Int16Array,
  most: number,
  vector: ArrayLike<number>,
): Rounding {
  let greatest = 0;
  for (let at = 0; at < vector.length; at += 1) {
    greatest = Math.max(greatest, Math.abs(vector[at] ?? 0));
  }
  const scale = greatest / most;
  let squares = 0;
  let missed = 0;
  for (let at = 0; at < vector.length; at += 1) {
    const component = vector[at] ?? 0;
    const code = scale === 0 ? 0 : Math.round(component / scale);
    codes[at] = code;
    squares += component * component;
    missed += (component - code * scale) ** 2;
  }
  return { scale, length: Math.sqrt(squares), error: Math.sqrt(missed) * (1 + SUM_SLACK) };
}

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
