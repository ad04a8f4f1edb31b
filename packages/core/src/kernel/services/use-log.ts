/**
 * Times of last use of keys and sessions. A use is noted while a proof is checked, which must not
 * wait, and is stored in the background, at most once a minute for each entry.
 */
import { hasCode } from '../../contract/errors/agentkeep-error.js';
import { USE_PRECISION_MS, USES_WAITING_MAX } from '../../contract/limits.js';
import type { Store, WriteTx } from '../../storage/store/store.js';
import { Port } from '../ports/port.js';

/** Times of last use of keys and sessions that are not stored yet. */
export const useLog = new Port<UseLog>('useLog');

/** Most times of one transaction, so that it delays others only briefly. */
const TRANSACTION_USES_MAX = 256;

/** An entry whose last use is recorded. */
export interface UsedEntry {
  /** A name that no other entry has. */
  readonly name: string;
  /** The stored time of its last use, in Unix milliseconds; null while there is none. */
  readonly storedMs: number | null;
  /** Stores a time of use; does nothing if the entry has been removed meanwhile. */
  store(tx: WriteTx, usedMs: number): void;
}

interface Waiting {
  readonly entry: UsedEntry;
  readonly usedMs: number;
}

/**
 * Returns the time of use to store, or undefined if another server has stored a later one
 * meanwhile. A time that was known when the use was noted is replaced, because the clock may have
 * stepped back.
 */
export function useToStore(
  storedMs: number | null,
  noted: { readonly knownMs: number | null; readonly usedMs: number },
): number | undefined {
  const isNews = storedMs !== noted.knownMs && storedMs !== null;
  return isNews && storedMs >= noted.usedMs ? undefined : noted.usedMs;
}

/** The times of use that are not stored yet. */
export class UseLog {
  readonly #store: Pick<Store, 'transact'>;
  readonly #waiting = new Map<string, Waiting>();
  #storing: Promise<void> | undefined;

  constructor(store: Pick<Store, 'transact'>) {
    this.#store = store;
  }

  /** Times of use that are not stored yet: at most {@link USES_WAITING_MAX}. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** Notes a use if the last known one is a minute or more away. Never throws. */
  note(entry: UsedEntry, nowMs: number): void {
    const lastMs = this.latest(entry);
    // Also applies when the wall clock has stepped back by as much.
    if (lastMs !== null && Math.abs(nowMs - lastMs) < USE_PRECISION_MS) return;
    // A store that refuses writes must not fill the memory of the process as well.
    if (!this.#waiting.has(entry.name) && this.#waiting.size >= USES_WAITING_MAX) return;
    this.#waiting.set(entry.name, { entry, usedMs: nowMs });
    // A use that can't be stored waits, and is tried again with the next one.
    this.flush().catch(() => undefined);
  }

  /** Returns the last noted use of an entry; null if there is none. */
  latest(entry: UsedEntry): number | null {
    return this.#waiting.get(entry.name)?.usedMs ?? entry.storedMs;
  }

  /**
   * Stores all noted uses.
   *
   * @throws {AgentkeepError} when the store refuses them.
   */
  flush(): Promise<void> {
    // Uses that are noted in one turn are stored together.
    this.#storing ??= Promise.resolve().then(() => this.#storeWaiting());
    return this.#storing;
  }

  /** Stores all noted uses if the store accepts them, and forgets them either way. */
  async close(): Promise<void> {
    // A time of use doesn't justify a failed close.
    await this.flush().catch(() => undefined);
    this.#waiting.clear();
  }

  async #storeWaiting(): Promise<void> {
    try {
      while (this.#waiting.size > 0) {
        const some = [...this.#waiting.values()].slice(0, TRANSACTION_USES_MAX);
        await this.#storeSome(some);
        for (const stored of some) this.#settle(stored);
      }
    } finally {
      this.#storing = undefined;
    }
  }

  async #storeSome(some: readonly Waiting[]): Promise<void> {
    try {
      await this.#store.transact((tx) => {
        for (const { entry, usedMs } of some) entry.store(tx, usedMs);
      });
    } catch (error) {
      // A damaged entry no longer authenticates; it must not block the entries beside it.
      const isDamage = hasCode(error, 'storage_inconsistency');
      if (!isDamage) throw error;
    }
  }

  /** Forgets a stored time, but not a later one that was noted meanwhile. */
  #settle(stored: Waiting): void {
    const { name } = stored.entry;
    if (this.#waiting.get(name) === stored) this.#waiting.delete(name);
  }
}
