/** Removes, in the background, codes, tokens and requests of OAuth that have expired. */
import type { Runtime } from '../../../kernel/services/runtime.js';
import { Sweeper } from '../../../kernel/services/sweeper.js';
import { removeExpiredGrantEntries } from './grant-entry-store.js';

/** Expired entries are refused already, so the interval only affects storage. */
const SWEEP_EVERY_MS = 60_000;

/** Entries of one transaction, so that it delays others by milliseconds only. */
const BATCH_ENTRIES = 256;

/** Removes expired entries of a keep until it is stopped. */
export class GrantSweeper extends Sweeper {
  readonly #parts: Pick<Runtime, 'store' | 'clock'>;

  constructor(parts: Pick<Runtime, 'store' | 'clock'>) {
    super();
    this.#parts = parts;
  }

  /** Sweeps every minute. */
  start(): void {
    this.repeat(SWEEP_EVERY_MS);
  }

  /** Removes all expired entries. */
  protected override async sweepAll(): Promise<void> {
    const { store, clock } = this.#parts;
    let removed = BATCH_ENTRIES;
    while (removed === BATCH_ENTRIES && !this.isStopped) {
      const nowMs = clock.now();
      removed = await store.transact((tx) => removeExpiredGrantEntries(tx, nowMs, BATCH_ENTRIES));
    }
  }
}
