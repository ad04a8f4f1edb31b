/** The dimensions of the embeddings that a search has met. */
import { AgentkeepError } from '../../../../contract/errors/agentkeep-error.js';

/** The dimensions of embeddings that were met, by the index of the scope. */
export class Dimensions {
  readonly #met = new Map<number, Set<number>>();

  /** Returns the dimensions that were met in a scope. */
  in(scope: number): ReadonlySet<number> {
    return this.#met.get(scope) ?? new Set();
  }

  /** Adds the dimension of an embedding. Ignores 0, which stands for no embedding. */
  add(scope: number, dimension: number): void {
    if (dimension === 0) return;
    const dimensions = this.#met.get(scope) ?? new Set();
    dimensions.add(dimension);
    this.#met.set(scope, dimensions);
  }

  /**
   * Requires an embedding like the vector in each scope where embeddings were met.
   *
   * @throws {AgentkeepError} `invalid_request`
   */
  require({ length }: readonly number[]): void {
    for (const [scope, dimensions] of this.#met) {
      const [first] = dimensions;
      if (first === undefined || dimensions.has(length)) continue;
      const expected = `${first} numbers, as embeddings in scopes[${scope}] have`;
      const members = [{ path: 'vector.values', expected }];
      throw new AgentkeepError('invalid_request', { members });
    }
  }
}
