/**
 * Counts the answers and refusals of each operation.
 */
import { type OperationName, operations } from '@agentkeep/core';
import type { Outcome } from '../models/outcome.js';

/** The outcomes of all calls of all histories. */
export class Tally {
  readonly #good = new Map<OperationName, number>();
  readonly #refused = new Map<OperationName, number>();
  readonly #met = new Map<string, number>();

  /** Counts a call; `label` tells kinds of calls of one operation apart. */
  note(name: OperationName, outcome: Outcome<unknown>, label: string = name): void {
    increase('value' in outcome ? this.#good : this.#refused, name);
    increase(this.#met, `${label} ${'value' in outcome ? 'done' : outcome.error}`);
  }

  /** How often each outcome was met, such as `create done` or `whoAmI unauthorized`. */
  get met(): ReadonlyMap<string, number> {
    return this.#met;
  }

  /** The operations that never succeeded. */
  get neverSuccessful(): OperationName[] {
    const names = Object.keys(operations) as OperationName[];
    return names.filter((name) => !this.#good.has(name));
  }

  /** The counts for a table. */
  get done(): Record<string, number> {
    return {
      calls: total(this.#good) + total(this.#refused),
      refusals: total(this.#refused),
      'operations that succeeded': this.#good.size,
      'operations that were refused': this.#refused.size,
    };
  }
}

function increase<K>(counts: Map<K, number>, key: K): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function total(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}
