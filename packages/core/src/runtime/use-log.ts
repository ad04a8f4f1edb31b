/**
 * When keys and sessions were last used. A use is noted while a proof is checked, which may not
 * wait, and stored in the background, at most once a minute for each of them.
 */
import { AgentkeepError } from '../contract/errors/agentkeep-error.js';
import { USE_PRECISION_MS, USES_WAITING_MAX } from '../contract/limits.js';
import type { Store, WriteTx } from '../storage/store/store.js';

/** Most times of one transaction, so that it holds up others only for a moment. */
const TRANSACTION_USES_MAX = 256;

/** Something whose last use is kept. */
export interface UsedEntry {
  /** Told apart from every other entry by this name. */
  readonly name: string;
  /** The stored time of its last use, in Unix milliseconds; null while there is none. */
  readonly storedMs: number | null;
  /** Stores a time of use; does nothing where the entry has gone meanwhile. */
  store(tx: WriteTx, usedMs: number): void;
}

interface Waiting {
  readonly entry: UsedEntry;
  readonly usedMs: number;
}

/**
 * The time of use to store, or undefined where another server has stored a later one meanwhile. A
 * time that was known when the use was noted gives way, because the clock may have stepped back.
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

  /** Notes a use if the last one that is known lies a minute or more away; never throws. */
  note(entry: UsedEntry, nowMs: number): void {
    const lastMs = this.latest(entry);
    // Also when the wall clock has stepped back by as much.
    if (lastMs !== null && Math.abs(nowMs - lastMs) < USE_PRECISION_MS) return;
    // A store that takes nothing must not take the memory of the process as well.
    if (!this.#waiting.has(entry.name) && this.#waiting.size >= USES_WAITING_MAX) return;
    this.#waiting.set(entry.name, { entry, usedMs: nowMs });
    // What cannot be stored waits, and is tried again at the next use that is noted.
    this.flush().catch(() => undefined);
  }

  /** When an entry was last used, as far as it was noted; null if never. */
  latest(entry: UsedEntry): number | null {
    return this.#waiting.get(entry.name)?.usedMs ?? entry.storedMs;
  }

  /**
   * Stores what was noted so far.
   * @throws {AgentkeepError} when the store does not take it.
   */
  flush(): Promise<void> {
    // What is noted in one turn is stored together.
    this.#storing ??= Promise.resolve().then(() => this.#storeWaiting());
    return this.#storing;
  }

  /** Stores what was noted so far if the store takes it, and forgets it either way. */
  async close(): Promise<void> {
    // A time of use is not worth a failed end.
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
      // A damaged entry is no proof any more; it must not block the entries beside it.
      const isDamage = error instanceof AgentkeepError && error.code === 'storage_inconsistency';
      if (!isDamage) throw error;
    }
  }

  /** Forgets a time that is stored, but not a later one that was noted meanwhile. */
  #settle(stored: Waiting): void {
    const { name } = stored.entry;
    if (this.#waiting.get(name) === stored) this.#waiting.delete(name);
  }
}
