/**
 * Bounds of distances from a vector, computed from rounded embeddings with integers. They say which
 * embeddings need not be read to find the nearest ones.
 */
import type { RoundedEmbeddings } from '../../../kernel/ports/memory-scan.js';
import { dotProducts, strideOf } from './dot-products.js';
import { type Rounding, roundTo, SUM_SLACK } from './rounded-vectors.js';

/** With 8-bit codes, sums over `SEARCH_DIMENSIONS_MAX` components are below 2 ** 31. */
const CODE_MAX = 2_047;

/** A vector to measure distances from. */
export interface MeasuredVector {
  readonly values: Float32Array;
  readonly metric: 'cosine' | 'dot' | 'euclidean';
}

/** Finds the least and the greatest distance that embeddings can have. */
export class RoughDistance {
  /** Number of components of the vector. */
  readonly dimension: number;
  /** The bounds that {@link measure} found. */
  least = 0;
  most = 0;
  readonly #metric: MeasuredVector['metric'];
  readonly #codes: Int16Array;
  readonly #rounding: Rounding;
  #measured: RoundedEmbeddings | undefined;
  #products = new Int32Array();

  constructor({ values, metric }: MeasuredVector) {
    this.dimension = values.length;
    this.#metric = metric;
    this.#codes = new Int16Array(strideOf(values.length));
    this.#rounding = roundTo(this.#codes, CODE_MAX, values);
  }

  /**
   * Measures one of some embeddings of the same dimension. Returns whether it has a distance, which
   * is then not below {@link least} and not above {@link most}. The embeddings must not change.
   */
  measure(embeddings: RoundedEmbeddings, index: number): boolean {
    if (this.#measured !== embeddings) {
      this.#products = dotProducts(this.#codes, embeddings.codes).slice();
      this.#measured = embeddings;
    }
    const own = this.#rounding;
    const length = embeddings.lengths[index] ?? 0;
    const error = embeddings.errors[index] ?? 0;
    const scale = own.scale * (embeddings.scales[index] ?? 0);
    const dot = (this.#products[index] ?? 0) * scale;
    const both = own.length * length;
    const slack = own.length * error + own.error * (length + error) + SUM_SLACK * both;
    switch (this.#metric) {
      case 'dot':
        return this.#bound(-dot, slack);
      case 'cosine':
        return length > 0 && this.#bound(1 - dot / both, slack / both + SUM_SLACK);
      case 'euclidean': {
        const squares = own.length ** 2 + length ** 2;
        const middle = squares - 2 * dot;
        const room = 2 * slack + SUM_SLACK * squares;
        this.least = Math.sqrt(Math.max(0, middle - room));
        this.most = Math.sqrt(Math.max(0, middle + room));
        return true;
      }
    }
  }

  #bound(distance: number, slack: number): true {
    this.least = distance - slack;
    this.most = distance + slack;
    return true;
  }
}
