/**
 * Ends locks and forgets names when their time has come, also when nobody asks for them.
 * @module
 */
import type { Runtime } from '../../runtime/runtime.js';
import { settleLockout } from './change-lockout.js';
import { listDue } from './lockout-store.js';

/** Well below the minute within which the end of a lock is recorded. */
const SWEEP_EVERY_MS = 20_000;

/** Names of one transaction, so that it holds up others only for milliseconds. */
const SWEEP_NAMES_MAX = 64;

/** What a sweeper stands on. */
export type SweeperParts = Pick<Runtime, 'store' | 'clock' | 'newId' | 'audit'>;

/** Sweeps the lockouts of one keep until it is stopped. */
export class LockoutSweeper {
  readonly #parts: SweeperParts;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #isStopped = false;

  constructor(parts: SweeperParts) {
    this.#parts = parts;
  }

  /** Sweeps every 20 seconds from now on. */
  start(): void {
    this.#timer = setInterval(() => {
      // What fails is due at the next round again.
      this.sweep().catch(() => undefined);
    }, SWEEP_EVERY_MS).unref();
  }

  /** Does what is due by now; a sweep that is running already is joined. */
  sweep(): Promise<void> {
    this.#running ??= this.#sweepAll().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  /** Ends the sweeping, after the transaction that is running. */
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
        const unlockedEventId = eventIds[index] ?? '';
        settleLockout(tx, { audit, name, nowMs, unlockedEventId });
      }
      return due.length;
    });
  }
}
