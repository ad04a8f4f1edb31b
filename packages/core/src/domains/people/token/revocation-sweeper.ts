/**
 * Checks the whole revocation list at start and removes expired entries every few minutes. An entry
 * outlives its token, because clocks can be set back and differ between servers.
 */
import { setImmediate } from 'node:timers/promises';
import { REVOCATION_KEPT_MS } from '../../../contract/limits.js';
import type { Clock } from '../../../kernel/ports/clock.js';
import { Sweeper } from '../../../kernel/services/sweeper.js';
import { hasCode } from '../../../contract/errors/agentkeep-error.js';
import type { Transactions } from '../../../storage/store/store.js';
import { checkRevocations, removeExpiredRevocations } from './revocation-store.js';

/** Half the interval within which expired entries must go, in milliseconds. */
const SWEEP_EVERY_MS = 300_000;

/** Entries of one transaction, so that it delays others by milliseconds only. */
const BATCH_ENTRIES = 256;

/** Removes expired revocations from a store until it is stopped. */
export class RevocationSweeper extends Sweeper {
  readonly #store: Transactions;
  readonly #clock: Clock;

  constructor({ store, clock }: { readonly store: Transactions; readonly clock: Clock }) {
    super();
    this.#store = store;
    this.#clock = clock;
  }

  /**
   * Reads every entry and removes expired ones, now and every five minutes.
   * @throws {AgentkeepError} `storage_inconsistency` if an entry doesn't verify. It may be the one
   * that blocks a stolen token, so the keep must not open without it.
   */
  async start(): Promise<void> {
    let after: readonly [string, string] | undefined;
    do {
      const from = after;
      after = await this.#store.read((tx) => checkRevocations(tx, from, BATCH_ENTRIES));
      // A read alone does not let other work run.
      await setImmediate();
    } while (after !== undefined);
    await this.sweep().catch((error: unknown) => {
      if (!hasCode(error, 'store_full')) throw error;
    });
    // An entry that can't be removed keeps its token revoked until the next sweep.
    this.repeat(SWEEP_EVERY_MS);
  }

  /** Removes expired entries. */
  protected override async sweepAll(): Promise<void> {
    let removed = BATCH_ENTRIES;
    while (removed === BATCH_ENTRIES && !this.isStopped) {
      const nowMs = this.#clock.now() - REVOCATION_KEPT_MS;
      removed = await this.#store.transact((tx) =>
        removeExpiredRevocations(tx, nowMs, BATCH_ENTRIES),
      );
    }
  }
}
