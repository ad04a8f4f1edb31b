/** Tracks running work, which finishes even when its client has disconnected. */
import type { Logger } from '../log/logger.js';

/** Counts running work and remembers the first crash. */
export class TrackedWork {
  readonly #log: Logger;
  readonly #waiting: (() => void)[] = [];
  #count = 0;
  #crash: { readonly cause: unknown } | undefined;

  constructor(log: Logger) {
    this.#log = log;
  }

  /** Number of running tasks. */
  get count(): number {
    return this.#count;
  }

  /** Runs a task; if it crashes, logs and remembers the crash and returns `afterCrash()`. */
  async run<T>(work: () => T | Promise<T>, afterCrash: () => T): Promise<T> {
    this.#count += 1;
    try {
      return await work();
    } catch (cause) {
      this.#crash ??= { cause };
      this.#log.error('request task crashed', { cause });
      return afterCrash();
    } finally {
      this.#count -= 1;
      if (this.#count === 0) for (const resolve of this.#waiting.splice(0)) resolve();
    }
  }

  /** Resolves once no task is running. */
  settled(): Promise<void> {
    if (this.#count === 0) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Throws if any task has crashed since the start. */
  assertNoCrash(): void {
    if (this.#crash === undefined) return;
    throw new Error('A request task crashed while the server ran.', this.#crash);
  }
}
