/** Measures how long other work holds the event loop. */

/** Measures the turns of the event loop. */
export class Pauses {
  #longestMs = 0;
  #isStopped = false;

  constructor() {
    const turn = (beganMs: number): void => {
      setImmediate(() => {
        const nowMs = performance.now();
        this.#longestMs = Math.max(this.#longestMs, nowMs - beganMs);
        if (!this.#isStopped) turn(nowMs);
      });
    };
    turn(performance.now());
  }

  /** Stops; returns the longest turn in milliseconds. */
  stop(): number {
    this.#isStopped = true;
    return this.#longestMs;
  }
}
