/** Turns a plain store into a sealed one, in slices beside other work. */
import { setImmediate } from 'node:timers/promises';
import { Sweeper } from '../../kernel/services/sweeper.js';

/** How often it tries again after a slice that failed, for instance because a key is away. */
const RETRY_EVERY_MS = 5_000;

/** Seals until nothing is plain. */
export class SealingWorker extends Sweeper {
  readonly #sealSlice: () => Promise<boolean>;
  #isComplete = false;

  /** `sealSlice` returns whether all is sealed. */
  constructor(sealSlice: () => Promise<boolean>) {
    super();
    this.#sealSlice = sealSlice;
  }

  /** Begins, or continues what an earlier run left. */
  start(): void {
    this.wake();
    this.repeat(RETRY_EVERY_MS);
  }

  protected async sweepAll(): Promise<void> {
    while (!this.#isComplete && !this.isStopped) {
      this.#isComplete = await this.#sealSlice();
      await setImmediate();
    }
  }
}
