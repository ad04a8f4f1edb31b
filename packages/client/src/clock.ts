/** Time as the client needs it, so that tests move it instead of waiting. */

// Taken once, so that they go on under the fake timers of a test.
const { clearTimeout, performance, setTimeout } = globalThis;

/** A source of time and of timers. */
export interface ClientClock {
  /** Wall-clock time in Unix milliseconds. It may step. */
  now(): number;
  /** Milliseconds from any fixed moment; never steps backwards. */
  monotonic(): number;
  /** Runs an action once after some milliseconds, unless the returned function is called first. */
  after(ms: number, action: () => void): () => void;
}

/** The clock of the machine. */
export const machineClock: ClientClock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(ms, action) {
    const timer = setTimeout(action, ms);
    return () => {
      clearTimeout(timer);
    };
  },
};
