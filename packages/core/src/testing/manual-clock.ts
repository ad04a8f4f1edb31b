/** A clock that moves only when a test advances it. */
import type { Clock } from '../kernel/ports/clock.js';

/** Default start, in Unix milliseconds. */
const START_MS = Date.UTC(2030, 0, 1);

/**
 * A clock under the control of a test.
 *
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

  /** Starts at a time in Unix milliseconds, by default at the beginning of 2030. */
  constructor(startMs = START_MS) {
    this.#nowMs = startMs;
  }

  /** Wall-clock time in Unix milliseconds. */
  now(): number {
    return this.#nowMs;
  }

  /** Milliseconds since the clock was created, not counting steps of the wall clock. */
  monotonic(): number {
    return this.#monotonicMs;
  }

  /** Advances both clocks by some milliseconds. */
  advance(ms: number): void {
    if (ms < 0)
      throw new RangeError('Time cannot run backwards. Use stepTo() to step the wall clock.');
    this.#nowMs += ms;
    this.#monotonicMs += ms;
  }

  /** Sets the wall clock, forwards or backwards, without advancing monotonic time. */
  stepTo(nowMs: number): void {
    this.#nowMs = nowMs;
  }
}
