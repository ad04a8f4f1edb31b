/**
 * Removes, in the background, memory that is no longer kept: old revisions, the content of deleted
 * records, and records that expired long ago. All of it is hidden before, so this is only about
 * their storage. Several servers may sweep one store: what one has removed, another finds gone.
 */
import { setImmediate } from 'node:timers/promises';
import { Sweeper } from '../../../kernel/services/sweeper.js';
import type { ReadTx } from '../../../storage/store/store.js';
import { nextTenantWithData } from '../../../storage/store/tenants-with-data.js';
import { hasWork, SweepJob, type SweepParts } from './sweep-job.js';

/** Within this time, content of deleted records goes after its last day. */
const SWEEP_EVERY_MS = 60_000;

/** Tenants that one read asks for work. */
const ASKED_AT_ONCE = 16;

/** Slices of a tenant before tenants that wait have their turns. */
const SLICES_IN_TURN = 8;

/** Sweeps the memory of a keep until it is stopped. */
export class MemorySweeper extends Sweeper {
  readonly #parts: SweepParts;

  constructor(parts: SweepParts) {
    super();
    this.#parts = parts;
  }

  /** Sweeps every minute. */
  start(): void {
    this.repeat(SWEEP_EVERY_MS);
  }

  /**
   * Removes all that is due.
   *
   * @throws {AgentkeepError} the first failure. Other tenants are swept all the same.
   */
  protected override async sweepAll(): Promise<void> {
    const failures: unknown[] = [];
    const waiting: SweepJob[] = [];
    let after: string | undefined;
    let isAsked = false;
    while (!this.isStopped && !(isAsked && waiting.length === 0)) {
      if (!isAsked) {
        const from = after;
        const asked = await this.#parts.store.read((tx) => this.#ask(tx, from));
        waiting.push(...asked.tenants.map((tenantId) => new SweepJob(this.#parts, tenantId)));
        after = asked.last;
        isAsked = after === undefined;
      }
      for (const job of waiting.splice(0)) {
        const hasMore = await this.#takeTurn(job).catch((error: unknown) => {
          failures.push(error);
          return false;
        });
        if (hasMore) waiting.push(job);
      }
    }
    if (failures.length > 0) throw failures[0];
  }

  /** Returns the next tenants with something to do, and the last one that was asked, if any. */
  #ask(tx: ReadTx, after: string | undefined): { tenants: string[]; last: string | undefined } {
    const nowMs = this.#parts.clock.now();
    const tenants: string[] = [];
    let last = after;
    for (let asked = 0; asked < ASKED_AT_ONCE; asked += 1) {
      last = nextTenantWithData(tx, last);
      if (last === undefined) break;
      if (last !== '' && hasWork(tx, last, nowMs)) tenants.push(last);
    }
    return { tenants, last };
  }

  /** Does the slices of one turn. Returns whether there is more. */
  async #takeTurn(job: SweepJob): Promise<boolean> {
    for (let slices = 0; slices < SLICES_IN_TURN; slices += 1) {
      if (this.isStopped || !(await job.step())) return false;
      await setImmediate();
    }
    return true;
  }
}
