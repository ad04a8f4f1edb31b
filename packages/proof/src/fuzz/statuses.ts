/** Counts the statuses of answers by operation. */

/** Statuses by operation. */
export class Statuses {
  readonly #counts = new Map<string, Map<number, number>>();
  /** Number of answered requests. */
  total = 0;

  /** Counts an answer. */
  count(operationId: string, status: number): void {
    const counts = this.#counts.get(operationId) ?? new Map<number, number>();
    this.#counts.set(operationId, counts);
    counts.set(status, (counts.get(status) ?? 0) + 1);
    this.total += 1;
  }

  /** Number of successful requests. */
  get succeeded(): number {
    return [...this.#counts.values()]
      .flatMap((counts) => [...counts])
      .reduce((sum, [status, count]) => sum + (status < 300 ? count : 0), 0);
  }

  /** Returns the operations that never succeeded. */
  neverSucceeded(operationIds: readonly string[]): string[] {
    const succeeds = (id: string): boolean =>
      [...(this.#counts.get(id)?.keys() ?? [])].some((status) => status < 300);
    return operationIds.filter((id) => !succeeds(id));
  }

  /** Summarizes in one line how many operations returned each status. */
  summary(): string {
    const operations = new Map<number, number>();
    for (const counts of this.#counts.values()) {
      for (const status of counts.keys()) operations.set(status, (operations.get(status) ?? 0) + 1);
    }
    return `Operations by status: ${inOrder(operations)}`;
  }

  /** Returns a line for each operation, with its statuses and their counts. */
  lines(): string[] {
    return [...this.#counts].map(([id, counts]) => `${id}: ${inOrder(counts)}`);
  }
}

function inOrder(counts: ReadonlyMap<number, number>): string {
  const sorted = [...counts].sort(([one], [other]) => one - other);
  return sorted.map(([status, count]) => `${status} × ${count}`).join(', ');
}
