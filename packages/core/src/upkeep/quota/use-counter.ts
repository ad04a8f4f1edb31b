/**
 * Counts, in the background, the entries of tenants with a new quota. Any server can continue the
 * count.
 */
import { setImmediate } from 'node:timers/promises';
import { Port } from '../../kernel/ports/port.js';
import type { Families } from '../../storage/families/families.js';
import type { Transactions } from '../../storage/store/store.js';
import { countNext, USE_SLICE_ENTRIES } from './count-use.js';
import { listQuotas } from '../stored/quota-store.js';

/** Counts the entries of a tenant with a new storage quota, in the background. */
export const countUse = new Port<(tenantId: string) => void>('countUse');

/** Quotas that one read examines. */
const PAGE_QUOTAS = 256;

/** Dependencies of the counter. */
export interface UseCounterParts {
  readonly store: Transactions;
  readonly families: Families;
  /** Entries that are counted before other work runs. */
  readonly sliceEntries?: number;
}

/** Counts until it is stopped. */
export class UseCounter {
  readonly #store: Transactions;
  readonly #families: Families;
  readonly #sliceEntries: number;
  readonly #waiting = new Set<string>();
  #running: Promise<void> = Promise.resolve();
  #isRunning = false;
  #isStopped = false;

  constructor({ store, families, sliceEntries = USE_SLICE_ENTRIES }: UseCounterParts) {
    this.#store = store;
    this.#families = families;
    this.#sliceEntries = sliceEntries;
  }

  /** Continues the counts that an earlier run left unfinished. */
  start(): void {
    // A quota that could not be found is counted after the next write of its tenant.
    this.#running = this.#running.then(() => this.#findUnfinished()).catch(() => undefined);
  }

  /** Counts for a tenant soon, in the background. */
  wake(tenantId: string): void {
    this.#waiting.add(tenantId);
    if (this.#isRunning || this.#isStopped) return;
    this.#isRunning = true;
    this.#running = this.#running.then(() => this.#countWaiting());
  }

  /** Stops counting and waits for the running transaction. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#running;
  }

  async #findUnfinished(): Promise<void> {
    let after: string | undefined;
    while (!this.#isStopped) {
      const quotas = await this.#store.read((tx) => listQuotas(tx, after, PAGE_QUOTAS));
      for (const { tenantId, countedTo } of quotas) if (countedTo !== null) this.wake(tenantId);
      if (quotas.length < PAGE_QUOTAS) return;
      after = quotas.at(-1)?.tenantId;
      await setImmediate();
    }
  }

  async #countWaiting(): Promise<void> {
    for (const tenantId of this.#waiting) {
      this.#waiting.delete(tenantId);
      // A failed count continues after the next write of its tenant, or when its quota is read.
      await this.#count(tenantId).catch(() => undefined);
      if (this.#isStopped) break;
    }
    this.#isRunning = false;
  }

  async #count(tenantId: string): Promise<void> {
    let isLeft = true;
    while (isLeft && !this.#isStopped) {
      isLeft = await this.#store.transact((tx) =>
        countNext(tx, this.#families, tenantId, this.#sliceEntries),
      );
      if (isLeft) await setImmediate();
    }
  }
}
