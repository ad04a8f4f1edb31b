/** Removes, in the background, API keys that were ended together, with or without their account. */
import type { Runtime } from '../../runtime/services/runtime.js';
import { Sweeper } from '../../runtime/services/sweeper.js';
import type { ApiKeyOwner } from './api-key-store.js';
import { KEYS_REMOVED_AT_ONCE, nextEnding, removeEnded } from './key-endings.js';

/** Ended keys are refused already, so the interval only affects storage. */
const SWEEP_EVERY_MS = 60_000;

/** Dependencies of the sweeper. */
export type KeySweeperParts = Pick<Runtime, 'store' | 'clock' | 'newId' | 'audit'>;

/** Removes ended keys of a keep until it is stopped. */
export class KeyEndingSweeper extends Sweeper {
  readonly #parts: KeySweeperParts;

  constructor(parts: KeySweeperParts) {
    super();
    this.#parts = parts;
  }

  /** Sweeps now, for keys that an earlier run left, and every minute. */
  start(): void {
    this.wake();
    this.repeat(SWEEP_EVERY_MS);
  }

  /**
   * Removes all ended keys.
   *
   * @throws {AgentkeepError} the first failure. Keys of other accounts are removed all the same.
   */
  protected override async sweepAll(): Promise<void> {
    const failures: unknown[] = [];
    let owner: ApiKeyOwner | undefined;
    while (!this.isStopped) {
      const after = owner;
      owner = await this.#parts.store.read((tx) => nextEnding(tx, after));
      if (owner === undefined) break;
      await this.#finish(owner).catch((error: unknown) => failures.push(error));
    }
    if (failures.length > 0) throw failures[0];
  }

  async #finish(owner: ApiKeyOwner): Promise<void> {
    const { store, clock, newId, audit } = this.#parts;
    let removed: number;
    do {
      const eventIds = Array.from({ length: KEYS_REMOVED_AT_ONCE }, newId);
      const nowMs = clock.now();
      removed = await store.transact((tx) => {
        const drafts = removeEnded(tx, owner, { eventIds, nowMs });
        for (const draft of drafts) audit.changed(tx, draft);
        return drafts.length;
      });
    } while (removed === KEYS_REMOVED_AT_ONCE && !this.isStopped);
  }
}
