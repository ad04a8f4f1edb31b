/**
 * A small load on several servers while one of them, or their database, fails: how long writes
 * waited, and how long each server was not ready.
 */

/** What the drill needs of the servers and of time. */
export interface DrillPorts {
  /** Addresses, in the order in which writes try them. */
  readonly urls: readonly string[];
  /** Writes the record of a number once; returns a code if the server refused or did not answer. */
  readonly write: (url: string, number: number) => Promise<string | undefined>;
  /** Returns whether a server says that it is ready. */
  readonly isReady: (url: string) => Promise<boolean>;
  /** Milliseconds that only grow. */
  readonly nowMs: () => number;
  /** Waits; ends early when the drill is interrupted. */
  readonly pause: (ms: number) => Promise<void>;
  /** Whether to stop and report what was measured. */
  readonly isInterrupted: () => boolean;
}

/** What was measured; times in milliseconds, within the {@link TICK_MS} between two looks. */
export interface DrillMeasured {
  /** Numbers of the acknowledged records: 1 to this. */
  readonly acknowledged: number;
  /** Whether the record after these was sent, and never acknowledged. */
  readonly isLastOpen: boolean;
  /** From the first try of a write to its answer, the longest. */
  readonly longestWaitMs: number;
  /** Writes that needed more than one try. */
  readonly repeated: number;
  /** Failed tries by code. */
  readonly refusals: Readonly<Record<string, number>>;
  /** By address, how long the server was not ready, all times together. */
  readonly notReadyMs: Readonly<Record<string, number>>;
  /** Whether some server was not ready, or some write failed. */
  readonly hasFailed: boolean;
  /** Whether all servers are ready again. */
  readonly isOver: boolean;
}

/** Milliseconds between two writes, and between two looks at each server. */
export const TICK_MS = 200;

/** Writes in a row that succeed at once on ready servers, after which a failure is over. */
const CALM_TICKS = 10;

/**
 * Writes until a failure is over, `limitMs` have passed, or the drill is interrupted. A write goes
 * on to the next server at once if one refuses it, as a client of several servers does.
 */
export async function drillFailover(ports: DrillPorts, limitMs: number): Promise<DrillMeasured> {
  const drill = new FailoverDrill(ports);
  const endMs = ports.nowMs() + limitMs;
  while (!drill.isOver && ports.nowMs() < endMs && !ports.isInterrupted()) {
    await drill.tick();
    await ports.pause(TICK_MS);
  }
  return drill.measured();
}

class FailoverDrill {
  readonly #ports: DrillPorts;
  readonly #refusals: Record<string, number> = {};
  readonly #notReadyMs: Record<string, number>;
  readonly #notReadySince = new Map<string, number>();
  #acknowledged = 0;
  #firstTryMs: number | undefined;
  #failedTries = 0;
  #longestWaitMs = 0;
  #repeated = 0;
  #hasOpenFailed = false;
  #calmTicks = 0;
  #hasFailed = false;
  #next = 0;

  constructor(ports: DrillPorts) {
    this.#ports = ports;
    this.#notReadyMs = Object.fromEntries(ports.urls.map((url) => [url, 0]));
  }

  get isOver(): boolean {
    return this.#hasFailed && this.#calmTicks >= CALM_TICKS;
  }

  async tick(): Promise<void> {
    const failedBefore = this.#failedTries;
    await Promise.all([this.#write(), ...this.#ports.urls.map((url) => this.#look(url))]);
    const isCalm = this.#failedTries === failedBefore && this.#notReadySince.size === 0;
    if (!isCalm) this.#hasFailed = true;
    this.#calmTicks = isCalm ? this.#calmTicks + 1 : 0;
  }

  measured(): DrillMeasured {
    for (const url of [...this.#notReadySince.keys()]) this.#becameReady(url);
    return {
      acknowledged: this.#acknowledged,
      isLastOpen: this.#firstTryMs !== undefined,
      longestWaitMs: Math.max(this.#longestWaitMs, this.#openWaitMs()),
      repeated: this.#repeated,
      refusals: this.#refusals,
      notReadyMs: this.#notReadyMs,
      hasFailed: this.#hasFailed,
      isOver: this.isOver,
    };
  }

  /** Tries the open write, or a new one, on each server once, until one takes it. */
  async #write(): Promise<void> {
    const { urls, write, nowMs } = this.#ports;
    this.#firstTryMs ??= nowMs();
    for (let tries = 0; tries < urls.length; tries += 1) {
      const url = urls[this.#next % urls.length];
      if (url === undefined) return;
      const refusal = await write(url, this.#acknowledged + 1);
      if (refusal === undefined) {
        this.#acknowledge();
        return;
      }
      this.#refusals[refusal] = (this.#refusals[refusal] ?? 0) + 1;
      this.#failedTries += 1;
      this.#hasOpenFailed = true;
      this.#next += 1;
    }
  }

  #acknowledge(): void {
    this.#longestWaitMs = Math.max(this.#longestWaitMs, this.#openWaitMs());
    if (this.#hasOpenFailed) this.#repeated += 1;
    this.#hasOpenFailed = false;
    this.#firstTryMs = undefined;
    this.#acknowledged += 1;
    // The next record goes to the next server, so that each of them is under load.
    this.#next += 1;
  }

  #openWaitMs(): number {
    return this.#firstTryMs === undefined ? 0 : this.#ports.nowMs() - this.#firstTryMs;
  }

  async #look(url: string): Promise<void> {
    const askedMs = this.#ports.nowMs();
    if (await this.#ports.isReady(url)) this.#becameReady(url);
    else if (!this.#notReadySince.has(url)) this.#notReadySince.set(url, askedMs);
  }

  #becameReady(url: string): void {
    const sinceMs = this.#notReadySince.get(url);
    if (sinceMs === undefined) return;
    this.#notReadySince.delete(url);
    this.#notReadyMs[url] = (this.#notReadyMs[url] ?? 0) + this.#ports.nowMs() - sinceMs;
  }
}
