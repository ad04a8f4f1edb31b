/** Turns of heavy work: one slice for each turn of the event loop, with short calls in between. */
import { setImmediate } from 'node:timers';
import { FairQueue } from './fair-queue.js';
import type { Party } from './party.js';

/** Hands out turns to tenants in turn, then to principals in turn. */
export class Turns {
  readonly #waiting = new FairQueue<() => void>();
  #isTaken = false;

  /** Turns that callers wait for. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** Resolves when the party may do one slice of work. The first to ask in a turn does not wait. */
  next(party: Party): Promise<void> {
    if (!this.#isTaken) {
      this.#take();
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      this.#waiting.push(party, resolve);
    });
  }

  /** Blocks others until the event loop has turned. */
  #take(): void {
    this.#isTaken = true;
    setImmediate(() => {
      const next = this.#waiting.next();
      if (next === undefined) {
        this.#isTaken = false;
        return;
      }
      this.#take();
      next();
    });
  }
}
