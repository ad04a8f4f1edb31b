/**
 * A bounded queue for a few workers, so that slow work can't crowd out everything else, and no
 * client the others.
 */

/** The client of some work. Its kind decides which workers may do it. */
export interface WorkClient {
  /** Clients with the same name share one lane; lanes take turns. */
  readonly name: string;
  /** One worker is kept free of deferrable work. */
  readonly isDeferrable: boolean;
}

/** Bounds of a queue. */
export interface WorkerQueueOptions {
  readonly workersMax: number;
  /** Most work that waits, of deferrable work and of other work each. */
  readonly waitingMax: number;
  /** Makes the error for work that doesn't fit the queue. */
  readonly busy: () => Error;
}

interface Waiting {
  readonly start: () => void;
  readonly refuse: (error: Error) => void;
}

interface Lane {
  readonly client: WorkClient;
  readonly waiting: Waiting[];
}

/**
 * Starts work a limited number at a time: lanes in turns, each in order of arrival. When the queue
 * is full, a client with little in it displaces the latest work of the one with the most.
 */
export class WorkerQueue {
  readonly #options: WorkerQueueOptions;
  readonly #deferrableMax: number;
  /** In the order of their turns. */
  readonly #lanes = new Map<string, Lane>();
  #atWork = 0;
  #deferrableAtWork = 0;

  constructor(options: WorkerQueueOptions) {
    this.#options = options;
    this.#deferrableMax = Math.max(1, options.workersMax - 1);
  }

  /**
   * Runs work as soon as it is its turn, and returns its result.
   *
   * @throws {Error} `busy()` if too much waits already, at once or when others displace it; or what
   * the work threw.
   */
  async run<T>(client: WorkClient, work: () => Promise<T>): Promise<T> {
    await this.#enter(client);
    try {
      return await work();
    } finally {
      this.#leave(client);
    }
  }

  #enter(client: WorkClient): Promise<void> | undefined {
    if (this.#hasWorkerFor(client)) {
      this.#begin(client);
      return undefined;
    }
    const lane = this.#laneOf(client);
    this.#makeRoom(lane);
    this.#lanes.set(keyOf(client), lane);
    return new Promise((resolve, reject) => {
      lane.waiting.push({ start: resolve, refuse: reject });
    });
  }

  #leave({ isDeferrable }: WorkClient): void {
    this.#atWork -= 1;
    if (isDeferrable) this.#deferrableAtWork -= 1;
    // The worker continues at once with the next work, so that no newcomer overtakes waiting work.
    for (const [key, lane] of this.#lanes) {
      if (!this.#hasWorkerFor(lane.client)) continue;
      const next = lane.waiting.shift();
      this.#lanes.delete(key);
      if (lane.waiting.length > 0) this.#lanes.set(key, lane);
      this.#begin(lane.client);
      next?.start();
      return;
    }
  }

  #hasWorkerFor({ isDeferrable }: WorkClient): boolean {
    if (this.#atWork >= this.#options.workersMax) return false;
    return !isDeferrable || this.#deferrableAtWork < this.#deferrableMax;
  }

  #begin({ isDeferrable }: WorkClient): void {
    this.#atWork += 1;
    if (isDeferrable) this.#deferrableAtWork += 1;
  }

  #laneOf(client: WorkClient): Lane {
    return this.#lanes.get(keyOf(client)) ?? { client, waiting: [] };
  }

  /** Makes room for one more in a lane, or throws. */
  #makeRoom({ client, waiting }: Lane): void {
    const { waitingMax, busy } = this.#options;
    const rivals = [...this.#lanes.values()].filter(
      (lane) => lane.client.isDeferrable === client.isDeferrable,
    );
    if (rivals.reduce((sum, lane) => sum + lane.waiting.length, 0) < waitingMax) return;
    const longest = rivals.reduce<Lane | undefined>(
      (most, lane) => (lane.waiting.length > (most?.waiting.length ?? 0) ? lane : most),
      undefined,
    );
    // Otherwise the two would only swap.
    if (longest === undefined || longest.waiting.length <= waiting.length + 1) throw busy();
    longest.waiting.pop()?.refuse(busy());
  }
}

function keyOf({ name, isDeferrable }: WorkClient): string {
  return `${isDeferrable ? 'later' : 'now'} ${name}`;
}
