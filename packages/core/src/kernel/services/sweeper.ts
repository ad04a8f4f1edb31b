/** Background work that repeats: one run at a time, until it is stopped. */
import { clearInterval, setInterval } from 'node:timers';

/** Sweeps at once when asked to, and at an interval. */
export abstract class Sweeper {
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();
  #isStopped = false;

  /** Whether a long sweep should end after its current transaction. */
  protected get isStopped(): boolean {
    return this.#isStopped;
  }

  /** Does all due work, in as many transactions as needed. */
  protected abstract sweepAll(): Promise<void>;

  /** Sweeps after the sweeps that were requested before; rejects if it fails. */
  sweep(): Promise<void> {
    const run = this.#running.catch(() => undefined).then(() => this.sweepAll());
    this.#running = run;
    return run;
  }

  /** Sweeps soon, in the background. A failed sweep is repeated in the next round. */
  wake(): void {
    this.sweep().catch(() => undefined);
  }

  /** Sweeps at an interval. */
  protected repeat(everyMs: number): void {
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
