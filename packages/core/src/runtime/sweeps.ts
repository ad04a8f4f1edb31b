/** Background work that repeats: one run at a time, until it is stopped. */

/** Runs a sweep at once when asked to, and at an interval. */
export class Sweeps {
  readonly #sweep: () => Promise<void>;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();
  #isStopped = false;

  constructor(sweep: () => Promise<void>) {
    this.#sweep = sweep;
  }

  /** Whether a long sweep should end after its current transaction. */
  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** Runs the sweep after the ones that were asked for before; rejects if it fails. */
  run(): Promise<void> {
    const run = this.#running.catch(() => undefined).then(this.#sweep);
    this.#running = run;
    return run;
  }

  /** Runs the sweep without anybody waiting for it. A failed one is repeated in the next round. */
  wake(): void {
    this.run().catch(() => undefined);
  }

  /** Runs the sweep at an interval. */
  repeat(everyMs: number): void {
    this.#timer = setInterval(() => {
      this.wake();
    }, everyMs).unref();
  }

  /** Stops sweeping and waits for the running transaction. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#timer);
    await this.#running.catch(() => undefined);
  }
}
