/** Tells whether the store answers, for probes of supervisors. */
import { clearTimeout, setTimeout } from 'node:timers';
import { EPOCH_KEY } from '../../storage/store/position.js';
import type { Store } from '../../storage/store/store.js';
import type { Clock } from '../ports/clock.js';

/** Milliseconds for which an answer holds, so that many probes cost one read. */
export const PROBE_FRESH_MS = 1_000;

/** Milliseconds after which a store that has not answered counts as unusable. */
export const PROBE_TIMEOUT_MS = 2_000;

/** The part of a store that is asked. */
type ProbedStore = Pick<Store, 'read' | 'isInPlace'>;

/** What a probe needs. */
export interface StoreProbeParts {
  readonly store: ProbedStore;
  readonly clock: Pick<Clock, 'monotonic'>;
}

/**
 * Reads one key of a store and looks whether its files are there, at most once in
 * {@link PROBE_FRESH_MS} and once at a time.
 */
export class StoreProbe {
  readonly #store: ProbedStore;
  readonly #clock: Pick<Clock, 'monotonic'>;
  #asked: Promise<boolean> | undefined;
  /** When the last read ended, in the time of the clock. */
  #answeredMs = Number.NEGATIVE_INFINITY;
  #last = false;

  constructor({ store, clock }: StoreProbeParts) {
    this.#store = store;
    this.#clock = clock;
  }

  /** Returns whether the store answered its last read, in bounded time. Never rejects. */
  async isUsable(): Promise<boolean> {
    if (this.#clock.monotonic() - this.#answeredMs < PROBE_FRESH_MS) return this.#last;
    this.#asked ??= this.#ask();
    return inTime(this.#asked);
  }

  async #ask(): Promise<boolean> {
    try {
      await this.#store.read((tx) => tx.get(EPOCH_KEY));
      this.#last = (await this.#store.isInPlace?.()) !== false;
    } catch {
      this.#last = false;
    }
    this.#answeredMs = this.#clock.monotonic();
    this.#asked = undefined;
    return this.#last;
  }
}

/** Returns the result, or `false` if it takes too long. */
async function inTime(asked: Promise<boolean>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, PROBE_TIMEOUT_MS, false);
  });
  try {
    return await Promise.race([asked, late]);
  } finally {
    clearTimeout(timer);
  }
}
