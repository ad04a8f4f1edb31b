/** The addresses of servers that share a store, and which of them calls go to. */
export class Addresses {
  /** How many there are. */
  readonly count: number;
  #current: string;
  /** Those that further calls go to, the next one first. */
  #others: readonly string[];

  /** Takes addresses without slashes at their ends. */
  constructor([first, ...others]: readonly [string, ...string[]]) {
    this.count = others.length + 1;
    this.#current = first;
    this.#others = others;
  }

  /** The address that calls go to. */
  get current(): string {
    return this.#current;
  }

  /** Leads further calls to the next address, unless another call has left this one before. */
  leave(url: string): void {
    const [next, ...others] = this.#others;
    if (url !== this.#current || next === undefined) return;
    this.#current = next;
    this.#others = [...others, url];
  }
}
