/**
 * Counts what a tenant lost, as one sentence for each kind of loss.
 */

/** Losses by their sentence. */
export class Losses {
  readonly #counts = new Map<string, number>();

  /** Counts a loss. */
  add(sentence: string): void {
    this.#counts.set(sentence, (this.#counts.get(sentence) ?? 0) + 1);
  }

  /** Returns the sentences, each with its number of times. */
  list(): string[] {
    return [...this.#counts].map(([sentence, count]) =>
      count === 1 ? sentence : `${sentence} (${count} times)`,
    );
  }
}
