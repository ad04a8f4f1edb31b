/** A clock that a test moves. */
import type { Clock } from '../runtime/ports/clock.js';

/** An arbitrary start, in Unix milliseconds. */
const START_MS = Date.UTC(2030, 0, 1);

/**
 * Time under the control of a test.
 * @example
 * ```ts
 * import { inMemoryStore, openKeep } from '@agentkeep/core';
 * import { ManualClock } from '@agentkeep/core/testing';
 *
 * const clock = new ManualClock();
 * await using keep = await openKeep({ store: inMemoryStore(), clock });
 * clock.advance(60_000);
 * ```
 */
export class ManualClock implements Clock {
  #nowMs: number;
  #monotonicMs = 0;

  /** Starts at a moment in Unix milliseconds; by default at the beginning of 2030. */
  constructor(startMs = START_MS) {
    this.#nowMs = startMs;
  }

  /** Wall-clock time in Unix milliseconds. */
  now(): number {
    return this.#nowMs;
  }

  /** Milliseconds since the clock was made, steps of the wall clock not counted. */
  monotonic(): number {
    return this.#monotonicMs;
  }

  /** Lets time pass. */
  advance(ms: number): void {
    if (ms < 0)
      throw new RangeError('Time does not run backwards. Use stepTo for wall-clock steps.');
    this.#nowMs += ms;
    this.#monotonicMs += ms;
  }

  /** Sets the wall clock, forwards or backwards, without letting time pass. */
  stepTo(nowMs: number): void {
    this.#nowMs = nowMs;
  }
}
