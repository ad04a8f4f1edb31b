/** The vector of a search, and distances from it. */
import type { SearchVector } from '../documents/schema.js';

/**
 * A vector to measure distances from. Components are 32-bit floats; sums are made in 64 bits, in
 * the order of components.
 */
export class WantedVector {
  readonly dimension: number;
  /** The space of the embeddings that it is compared with. */
  readonly space: string;
  readonly #values: Float32Array;
  readonly #metric: SearchVector['metric'];
  readonly #length: number;

  constructor({ values, metric }: SearchVector, space: string) {
    this.space = space;
    this.#values = Float32Array.from(values);
    this.#metric = metric;
    this.dimension = values.length;
    this.#length = Math.sqrt(this.#dot(this.#values));
  }

  /** Whether distances from it are defined: a vector of length 0 has no direction. */
  get isMeasurable(): boolean {
    return this.#metric !== 'cosine' || this.#length > 0;
  }

  /** The vector itself, in 32-bit floats. */
  get values(): Float32Array {
    return this.#values;
  }

  /** How distances are measured. */
  get metric(): SearchVector['metric'] {
    return this.#metric;
  }

  /** Returns the distance of an embedding of the same dimension, if it has one. */
  distanceTo(embedding: ArrayLike<number>): number | undefined {
    if (embedding.length !== this.dimension) return undefined;
    switch (this.#metric) {
      case 'euclidean':
        return this.#euclideanTo(embedding);
      case 'dot':
        return 0 - this.#dot(embedding);
      case 'cosine':
        return this.#cosineTo(embedding);
    }
  }

  #cosineTo(embedding: ArrayLike<number>): number | undefined {
    const values = this.#values;
    let dot = 0;
    let squares = 0;
    for (let at = 0; at < values.length; at += 1) {
      const component = embedding[at] ?? 0;
      dot += (values[at] ?? 0) * component;
      squares += component * component;
    }
    return squares === 0 ? undefined : 1 - dot / (this.#length * Math.sqrt(squares));
  }

  #dot(embedding: ArrayLike<number>): number {
    const values = this.#values;
    let sum = 0;
    for (let at = 0; at < values.length; at += 1) sum += (values[at] ?? 0) * (embedding[at] ?? 0);
    return sum;
  }

  #euclideanTo(embedding: ArrayLike<number>): number {
    const values = this.#values;
    let squares = 0;
    for (let at = 0; at < values.length; at += 1) {
      squares += ((values[at] ?? 0) - (embedding[at] ?? 0)) ** 2;
    }
    return Math.sqrt(squares);
  }
}
