/**
 * The tally of a store that several servers change. The numbers are in the store, and each change
 * updates them in its own transaction. They stay correct if a server is killed, and opening and
 * closing transfer nothing.
 */
import { clearInterval, setInterval } from 'node:timers';
import { setImmediate } from 'node:timers/promises';
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import { CLOCK_SKEW_MAX_MS } from '../../contract/limits.js';
import type { Clock } from '../../kernel/ports/clock.js';
import { asBuffer } from '../../storage/store/bytes.js';
import type { EndedRun } from '../../storage/store/participant.js';
import type { ReadTx, Store, WriteTx } from '../../storage/store/store.js';
import {
  changesIn,
  type CountedChange,
  type Counter,
  type CountingRules,
  type CountName,
  Counts,
  countsSessions,
  type EntryCounts,
  type EntryTally,
  isEnded,
  type TallyParts,
} from '../../kernel/counts/counts.js';
import { countIntoStored, countSlice, SLICE_ENTRIES } from './count-slice.js';
import {
  addToSlot,
  addToStored,
  findState,
  putState,
  removeNumbers,
  replaceNumbers,
  slotOf,
  storedNumbers,
} from '../stored/tally-store.js';

/** Interval for removing the numbers of ended sessions, in milliseconds. */
const SWEEP_EVERY_MS = 3_600_000;

/** Most numbers that one transaction removes. */
const SWEEP_NAMES = 256;

/** Keeps the counts of a store in the store. */
export class SharedTally implements EntryTally {
  readonly #store: Store;
  readonly #families: CountingRules;
  readonly #clock: Clock;
  readonly #sliceEntries: number;
  /** A random number of this server. */
  readonly #server: number;
  #sweeper: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();
  /** Whether everything is counted. Never reset. */
  #isCounted = false;
  #isClosing = false;

  private constructor({
    store,
    families,
    clock,
    entropy,
    sliceEntries = SLICE_ENTRIES,
  }: TallyParts) {
    this.#store = store;
    this.#families = families;
    this.#server = entropy?.bytes(1)[0] ?? 0;
    this.#clock = clock;
    this.#sliceEntries = sliceEntries;
  }

  /** Starts to count an uncounted store, or continues the count of another server. */
  static async open(parts: TallyParts): Promise<SharedTally> {
    const tally = new SharedTally(parts);
    await tally.#resume();
    return tally;
  }

  /** Adds the changes of a body to the stored numbers. */
  settle({ tx, notes }: EndedRun): void {
    this.#add(tx, changesIn(notes));
  }

  /**
   * Returns the numbers as of now; waits for a count that is not finished.
   *
   * @throws {AgentkeepError} `store_closed`, or what keeps the store from being counted.
   */
  async entries(): Promise<EntryCounts> {
    if (!this.#isCounted) await this.#countAll();
    const counts = new Counts(this.#clock);
    for (const [name, number] of await this.#store.read(storedNumbers)) counts.add(name, number);
    return counts.show();
  }

  /** Stops the timer. The numbers are already in the store. */
  async close(): Promise<void> {
    this.#isClosing = true;
    clearInterval(this.#sweeper);
    await this.#running.catch(() => undefined);
  }

  /** Removes the numbers of sessions that have ended. */
  async sweep(): Promise<void> {
    // Ended by the clocks of all servers.
    const nowMs = this.#clock.now() - CLOCK_SKEW_MAX_MS;
    const stored = await this.#store.read(storedNumbers);
    const ended = stored.map(([name]) => name).filter((name) => isEnded(name, nowMs));
    for (let from = 0; from < ended.length && !this.#isClosing; from += SWEEP_NAMES) {
      const some = ended.slice(from, from + SWEEP_NAMES);
      await this.#store.transact((tx) => {
        removeNumbers(tx, some);
      });
    }
  }

  async #resume(): Promise<void> {
    const state = await this.#store.transact((tx) => {
      const found = findState(tx);
      if (found !== undefined) return found;
      const { numbers, end } = countSlice(tx, this.#families, undefined, this.#sliceEntries);
      replaceNumbers(tx, numbers, { end });
      return { end };
    });
    this.#isCounted = state.end === null;
    this.#inBackground(() => this.#countAll().then(() => this.sweep()));
    this.#sweeper = setInterval(() => {
      this.#inBackground(() => this.sweep());
    }, SWEEP_EVERY_MS).unref();
  }

  #inBackground(work: () => Promise<void>): void {
    // A failed count or sweep runs again when it is needed or due.
    this.#running = this.#running.then(work).catch(() => undefined);
  }

  /** Counts slice by slice. Servers that count at the same time take turns. */
  async #countAll(): Promise<void> {
    while (!this.#isCounted) {
      if (this.#isClosing) throw new AgentkeepError('store_closed');
      const nowMs = this.#clock.now();
      this.#isCounted = await this.#store.transact((tx) => this.#countNext(tx, nowMs));
      if (!this.#isCounted) await setImmediate();
    }
  }

  /** Adds a slice to the stored numbers; returns whether it was the last. */
  #countNext(tx: WriteTx, nowMs: number): boolean {
    const from = this.#countedUpTo(tx);
    if (from === null) return true;
    const end = countIntoStored(tx, this.#families, from, { entries: this.#sliceEntries, nowMs });
    putState(tx, { end });
    return end === null;
  }

  #add(tx: WriteTx, changes: readonly CountedChange[]): void {
    if (changes.length === 0) return;
    const end = this.#isCounted ? null : this.#countedUpTo(tx);
    // Entries from `end` on are still to be counted.
    const counted =
      end === null ? changes : changes.filter(({ key }) => asBuffer(key).compare(end) < 0);
    const added = new Map<Counter, number>();
    for (const [name, by] of sumsOf(counted)) {
      if (countsSessions(name)) addToStored(tx, name, by);
      else added.set(name, by);
    }
    const changed = changes.map(({ key }) => key);
    addToSlot(tx, slotOf(changed, this.#server), added);
  }

  /** Returns the key before which everything is counted; null after the last one. */
  #countedUpTo(tx: ReadTx): Uint8Array | null {
    const state = findState(tx);
    if (state === undefined) throw new AgentkeepError('storage_inconsistency');
    return state.end;
  }
}

/** Returns the net sum of each number, without zeros. */
function sumsOf(changes: readonly CountedChange[]): Map<CountName, number> {
  const sums = new Map<CountName, number>();
  for (const { name, by } of changes) sums.set(name, (sums.get(name) ?? 0) + by);
  for (const [name, sum] of sums) if (sum === 0) sums.delete(name);
  return sums;
}
