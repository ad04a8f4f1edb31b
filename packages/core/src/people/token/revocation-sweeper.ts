/**
 * Keeps the revocation list whole and short: reads all of it at start, and removes what has long
 * expired then and every few minutes. An entry outlives its token, because clocks are set back and
 * those of several servers differ.
 * @module
 */
import { REVOCATION_KEPT_MS } from '../../contract/limits.js';
import type { Clock } from '../../runtime/ports/clock.js';
import type { Store } from '../../storage/store/store.js';
import { checkRevocations, removeExpiredRevocations } from './revocation-store.js';

/** Twice as often as expired entries have to go. */
const SWEEP_EVERY_MS = 300_000;

/** Entries of one transaction, so that it holds up others only for milliseconds. */
const BATCH_ENTRIES = 256;

/** Removes expired revocations from a store until it is stopped. */
export class RevocationSweeper {
  readonly #store: Store;
  readonly #clock: Clock;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;
  #running: Promise<void> = Promise.resolve();

  constructor({ store, clock }: { readonly store: Store; readonly clock: Clock }) {
    this.#store = store;
    this.#clock = clock;
  }

  /**
   * Reads every entry, removes those that have long expired, and does that again every five
   * minutes.
   * @throws {AgentkeepError} `storage_inconsistency` if an entry does not verify: it may be the one
   * that keeps a stolen token out, so there is no going on without it.
   */
  async start(): Promise<void> {
    let after: readonly [string, string] | undefined;
    do {
      const from = after;
      after = await this.#store.read((tx) => checkRevocations(tx, from, BATCH_ENTRIES));
    } while (after !== undefined);
    await this.sweep();
    this.#timer = setInterval(() => {
      // What cannot be removed now stays refused, and goes the next time.
      this.sweep().catch(() => undefined);
    }, SWEEP_EVERY_MS).unref();
  }

  /** Removes what has expired, in as many transactions as it takes. */
  sweep(): Promise<void> {
    const run = this.#running.catch(() => undefined).then(() => this.#removeAll());
    this.#running = run;
    return run;
  }

  /** Ends the sweeping, and waits for what is under way. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#timer);
    await this.#running.catch(() => undefined);
  }

  async #removeAll(): Promise<void> {
    let removed = BATCH_ENTRIES;
    while (removed === BATCH_ENTRIES && !this.#isStopped) {
      const nowMs = this.#clock.now() - REVOCATION_KEPT_MS;
      removed = await this.#store.transact((tx) =>
        removeExpiredRevocations(tx, nowMs, BATCH_ENTRIES),
      );
    }
  }
}
