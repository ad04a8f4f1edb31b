/** The addresses of servers that share a store, and which of them calls go to. */
export class Addresses {
  readonly #urls: readonly string[];
  #at = 0;

  /** At least one, without slashes at their ends. */
  constructor(urls: readonly string[]) {
    this.#urls = urls;
  }

  /** How many there are. */
  get count(): number {
    return this.#urls.length;
  }

  /** The address that calls go to. */
  get current(): string {
    return this.#urls[this.#at % this.count] ?? '';
  }

  /** Leads further calls to the next address, unless another call has left this one before. */
  leave(url: string): void {
    if (url === this.current) this.#at += 1;
  }
}
