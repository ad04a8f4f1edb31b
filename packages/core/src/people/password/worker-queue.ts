/**
 * A few workers and a short queue before them, for work that must not crowd out everything else.
 *
 * @module
 */

/** How much may be at work, and how much may wait. */
export interface WorkerQueueOptions {
  readonly workersMax: number;
  readonly waitingMax: number;
  /** What is thrown when one more would have to wait. */
  readonly busy: () => Error;
}

/** Lets work begin in the order in which it came, so much at a time. */
export class WorkerQueue {
  readonly #options: WorkerQueueOptions;
  readonly #waiting: (() => void)[] = [];
  #atWork = 0;

  constructor(options: WorkerQueueOptions) {
    this.#options = options;
  }

  /**
   * Does some work as soon as there is a place for it, and gives what it gives.
   *
   * @throws {Error} `busy()`, at once, if too much waits already; or what the work threw.
   */
  async run<T>(work: () => Promise<T>): Promise<T> {
    await this.#enter();
    try {
      return await work();
    } finally {
      this.#leave();
    }
  }

  #enter(): Promise<void> | undefined {
    if (this.#atWork < this.#options.workersMax) {
      this.#atWork += 1;
      return undefined;
    }
    if (this.#waiting.length >= this.#options.waitingMax) throw this.#options.busy();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #leave(): void {
    // The place goes to the next one at once, so that nobody slips in between.
    const next = this.#waiting.shift();
    if (next === undefined) this.#atWork -= 1;
    else next();
  }
}
