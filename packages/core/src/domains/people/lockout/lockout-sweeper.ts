/** Ends expired locks and removes expired records in the background. */
import { certain } from '../../../contract/certain.js';
import { clearInterval, setInterval } from 'node:timers';
import type { Runtime } from '../../../kernel/services/runtime.js';
import { settleLockout } from './change-lockout.js';
import { listDue } from './lockout-store.js';

/** Well below the minute within which the end of a lock must be recorded. */
const SWEEP_EVERY_MS = 20_000;

/** Names of one transaction, so that it delays others by milliseconds only. */
const SWEEP_NAMES_MAX = 64;

/** Dependencies of the sweeper. */
export type SweeperParts = Pick<Runtime, 'store' | 'clock' | 'newId' | 'audit'>;

/** Sweeps the lockouts of a keep until it is stopped. */
export class LockoutSweeper {
  readonly #parts: SweeperParts;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #isStopped = false;

  constructor(parts: SweeperParts) {
    this.#parts = parts;
  }

  /** Starts sweeping every 20 seconds. */
  start(): void {
    this.#timer = setInterval(() => {
      // A failed sweep is repeated in the next round.
      this.sweep().catch(() => undefined);
    }, SWEEP_EVERY_MS).unref();
  }

  /** Applies all due changes. Joins a sweep that is already running. */
  sweep(): Promise<void> {
    this.#running ??= this.#sweepAll().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  /** Stops sweeping after the running transaction. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#timer);
    await this.#running?.catch(() => undefined);
  }

  async #sweepAll(): Promise<void> {
    const { store, clock } = this.#parts;
    const nowMs = clock.now();
    const hasDue = await store.read((tx) => listDue(tx, nowMs, 1).length > 0);
    if (!hasDue) return;
    let swept: number;
    do {
      swept = await this.#sweepSome(nowMs);
    } while (swept === SWEEP_NAMES_MAX && !this.#isStopped);
  }

  #sweepSome(nowMs: number): Promise<number> {
    const { store, newId, audit } = this.#parts;
    const eventIds = Array.from({ length: SWEEP_NAMES_MAX }, newId);
    return store.transact((tx) => {
      const due = listDue(tx, nowMs, SWEEP_NAMES_MAX);
      for (const [index, { name }] of due.entries()) {
        const unlockedEventId = certain(eventIds[index], 'event id');
        settleLockout(tx, { audit, name, nowMs, unlockedEventId });
      }
      return due.length;
    });
  }
}
