/** What waits until frames are elsewhere. */
import { clearTimeout, setTimeout } from 'node:timers';
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';

/** One that waits. */
interface Waiting {
  readonly position: number;
  readonly settle: (error?: AgentkeepError) => void;
}

/** Waits for positions. */
export class Deliveries {
  readonly #waiting = new Set<Waiting>();

  /**
   * Resolves once {@link reach} is called with a position or a later one.
   * @throws {AgentkeepError} `replica_unavailable` after so many milliseconds, or what
   * {@link fail} was called with.
   */
  until(position: number, ms: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        position,
        settle: (error) => {
          clearTimeout(timer);
          this.#waiting.delete(waiting);
          if (error === undefined) resolve();
          else reject(error);
        },
      };
      const timer = setTimeout(() => {
        waiting.settle(unavailable());
      }, ms);
      this.#waiting.add(waiting);
    });
  }

  /** Answers what waits for a position up to this one. */
  reach(position: number): void {
    for (const waiting of this.#waiting) if (waiting.position <= position) waiting.settle();
  }

  /** Answers all that wait with an error. */
  fail(error: AgentkeepError): void {
    for (const waiting of this.#waiting) waiting.settle(error);
  }
}

/** Makes the error for a write that the target does not have yet. */
export function unavailable(): AgentkeepError {
  return new AgentkeepError('replica_unavailable');
}
