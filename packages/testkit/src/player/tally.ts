/**
 * Counts how often each operation was answered, and how often refused.
 */
import { type OperationName, operations } from '@agentkeep/core';
import type { Outcome } from '../models/outcome.js';

/** What came of all calls of all histories. */
export class Tally {
  readonly #good = new Map<OperationName, number>();
  readonly #refused = new Map<OperationName, number>();

  /** Counts one call. */
  note(name: OperationName, outcome: Outcome<unknown>): void {
    const counts = 'value' in outcome ? this.#good : this.#refused;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }

  /** Operations that were never answered with success. */
  get neverGood(): OperationName[] {
    const names = Object.keys(operations) as OperationName[];
    return names.filter((name) => !this.#good.has(name));
  }

  /** What was done, for the table. */
  get done(): Record<string, number> {
    return {
      calls: total(this.#good) + total(this.#refused),
      refusals: total(this.#refused),
      'operations that succeeded': this.#good.size,
      'operations that were refused': this.#refused.size,
    };
  }
}

function total(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}
