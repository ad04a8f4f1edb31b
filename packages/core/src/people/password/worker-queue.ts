/** A bounded queue for a few workers, so that slow work can't crowd out everything else. */

/** Bounds of a queue. */
export interface WorkerQueueOptions {
  readonly workersMax: number;
  readonly waitingMax: number;
  /** Makes the error for work that doesn't fit the queue. */
  readonly busy: () => Error;
}

/** Starts work in order of arrival, a limited number at a time. */
export class WorkerQueue {
  readonly #options: WorkerQueueOptions;
  readonly #waiting: (() => void)[] = [];
  #atWork = 0;

  constructor(options: WorkerQueueOptions) {
    this.#options = options;
  }

  /**
   * Runs work as soon as a worker is free, and returns its result.
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
    // Hand the worker to the next in line, so that no newcomer overtakes it.
    const next = this.#waiting.shift();
    if (next === undefined) this.#atWork -= 1;
    else next();
  }
}
