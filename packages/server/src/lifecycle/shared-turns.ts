/** Starts the work on the requests of one turn of the event loop together. */
import { setImmediate } from 'node:timers';

/** How many requests start at once after one that was alone in its turn. */
const ALONE_MAX = 15;

/**
 * Lets the requests of a turn start one after the other, once all of them have been read. System
 * calls between them would push the code and data of the work out of the caches of the processor,
 * which takes nearly as long as the work. A single request gains nothing, so after one the next
 * requests start at once, and every sixteenth checks whether that still holds.
 */
export class SharedTurns {
  #end: Promise<void> | undefined;
  /** Requests of the shared turn. */
  #size = 0;
  /** Number of further requests that start at once. */
  #alone = 0;

  /** Returns a promise to wait for before a request starts; `undefined` if it starts at once. */
  join(): Promise<void> | undefined {
    if (this.#end !== undefined) {
      this.#size += 1;
      return this.#end;
    }
    if (this.#alone > 0) {
      this.#alone -= 1;
      return undefined;
    }
    this.#size = 1;
    this.#end = new Promise((resolve) => {
      setImmediate(() => {
        this.#end = undefined;
        if (this.#size === 1) this.#alone = ALONE_MAX;
        resolve();
      });
    });
    return this.#end;
  }
}
