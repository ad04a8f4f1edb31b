/** Time as a port, so that tests move it instead of sleeping. */
import { performance } from 'node:perf_hooks';

/** A source of time. */
export interface Clock {
  /** Wall-clock time in Unix milliseconds. It may step backwards. */
  now(): number;
  /** Milliseconds from any fixed moment; never steps backwards. */
  monotonic(): number;
}

/** The clock of the machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
};
