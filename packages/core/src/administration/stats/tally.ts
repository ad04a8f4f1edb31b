/**
 * The tally of a store that only this process changes: how many entries of each kind it holds.
 * Numbers are kept in memory while the store is open and stored when it is closed; after a kill
 * they are counted once, in slices beside all other work.
 */
import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../../runtime/ports/clock.js';
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import { asBuffer } from '../../storage/store/bytes.js';
import type { ReadTx, Store, Transactions, WriteTx } from '../../storage/store/store.js';
import { runNoted } from '../../storage/store/transaction-view.js';
import type { CountName } from '../../runtime/counts/count-name.js';
import { type CountedSlice, countIntoStored, countSlice, SLICE_ENTRIES } from './count-slice.js';
import { Counts, type EntryCounts } from '../../runtime/counts/counts.js';
import type { EntryTally, TallyParts } from '../../runtime/counts/entry-tally.js';
import { changesIn, type CountedChange } from '../../runtime/counts/noted-changes.js';
import {
  addToStored,
  findState,
  putState,
  removeState,
  replaceNumbers,
  storedNumbers,
} from './tally-store.js';

/**
 * Where the truth is:
 * - `stored`: in the store and in memory alike; the first change says in its own transaction that
 *   the stored numbers are out of date
 * - `counting`: in the store, up to the key before which everything is counted
 * - `followed`: in memory alone
 */
type Phase = 'stored' | 'counting' | 'followed';

const NOTHING: readonly CountedChange[] = [];

/** Keeps the numbers of a store that is open here alone. */
export class Tally implements EntryTally {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #sliceEntries: number;
  readonly #counts: Counts;
  readonly #onIdle: (() => void)[] = [];
  #phase: Phase = 'followed';
  #counting: Promise<void> | undefined;
  #underWay = 0;
  #applied = 0;
  #isClosing = false;

  private constructor({ store, clock, sliceEntries = SLICE_ENTRIES }: TallyParts) {
    this.#store = store;
    this.#clock = clock;
    this.#sliceEntries = sliceEntries;
    this.#counts = new Counts(clock);
  }

  /** Opens the tally of a store, before anything is written to it. */
  static async open(parts: TallyParts): Promise<Tally> {
    const tally = new Tally(parts);
    await tally.#takeUp();
    return tally;
  }

  /** Returns the store with its changes counted: every change has to go through it. */
  followed(): Transactions {
    const store = this.#store;
    return {
      isShared: store.isShared,
      read: (body) => store.read(body),
      transact: async <T>(body: (tx: WriteTx) => T): Promise<T> => {
        let committed = NOTHING;
        this.#underWay += 1;
        try {
          const { result, changes } = await store.transact((tx) => {
            const ran = runNoted(tx, body);
            return { result: ran.result, changes: this.#settle(tx, changesIn(ran.notes)) };
          });
          committed = changes;
          return result;
        } finally {
          this.#finish(committed);
        }
      },
    };
  }

  /**
   * Returns the numbers as of now; waits for a count that is not finished.
   *
   * @throws {AgentkeepError} `store_closed`, or what keeps the store from being counted.
   */
  async entries(): Promise<EntryCounts> {
    if (this.#phase === 'counting') await this.#countOn();
    if (this.#phase === 'counting') throw new AgentkeepError('store_closed');
    return this.#counts.show();
  }

  /**
   * Stores the numbers once nothing is under way; nothing may be changed from then on. If that
   * fails, they are counted when the store is opened again.
   */
  async close(): Promise<void> {
    this.#isClosing = true;
    await this.#counting?.catch(() => undefined);
    await this.#idle();
    if (this.#phase !== 'followed') return;
    // From here on, any change marks the stored numbers as out of date.
    this.#phase = 'stored';
    const applied = this.#applied;
    const numbers = [...this.#counts.numbers()];
    try {
      await this.#store.transact((tx) => replaceNumbers(tx, numbers, { end: null }));
      await this.#idle();
      if (this.#applied !== applied) await this.#store.transact(removeState);
    } catch {
      return;
    }
  }

  async #takeUp(): Promise<void> {
    const found = await this.#store.read((tx) => {
      const state = findState(tx);
      if (state === undefined) return { slice: this.#slice(tx), numbers: [] };
      return { state, numbers: state.end === null ? storedNumbers(tx) : [] };
    });
    if (found.state !== undefined) {
      this.#add(found.numbers);
      this.#phase = found.state.end === null ? 'stored' : 'counting';
    } else {
      const { end, numbers } = found.slice;
      if (end === null) {
        this.#add(numbers);
        return;
      }
      await this.#store.transact((tx) => replaceNumbers(tx, numbers, { end }));
      this.#phase = 'counting';
    }
    if (this.#phase === 'counting') this.#countOn().catch(() => undefined);
  }

  /** Stores what belongs to the stored numbers; returns what memory has to follow. */
  #settle(tx: WriteTx, changes: readonly CountedChange[]): readonly CountedChange[] {
    if (changes.length === 0 || this.#phase === 'followed') return changes;
    if (this.#phase === 'stored') {
      removeState(tx);
      return changes;
    }
    const end = findState(tx)?.end;
    // The last slice is committed, and its result is on the way.
    if (end === undefined || end === null) return changes;
    for (const { name, by, key } of changes) {
      // Entries from `end` on are still to be counted.
      if (asBuffer(key).compare(end) < 0) addToStored(tx, name, by);
    }
    return NOTHING;
  }

  #finish(changes: readonly CountedChange[]): void {
    for (const { name, by } of changes) this.#counts.add(name, by);
    if (changes.length > 0) {
      this.#applied += 1;
      if (this.#phase === 'stored') this.#phase = 'followed';
    }
    this.#underWay -= 1;
    if (this.#underWay > 0) return;
    for (const resolve of this.#onIdle.splice(0)) resolve();
  }

  #idle(): Promise<void> {
    if (this.#underWay === 0) return Promise.resolve();
    return new Promise((resolve) => this.#onIdle.push(resolve));
  }

  #countOn(): Promise<void> {
    this.#counting ??= this.#countAll().finally(() => {
      this.#counting = undefined;
    });
    return this.#counting;
  }

  async #countAll(): Promise<void> {
    while (!this.#isClosing) {
      const nowMs = this.#clock.now();
      const counted = await this.#store.transact((tx) => this.#countNext(tx, nowMs));
      if (counted !== undefined) {
        this.#add(counted);
        this.#phase = 'followed';
        return;
      }
      await setImmediate();
    }
  }

  #add(numbers: Iterable<readonly [CountName, number]>): void {
    for (const [name, number] of numbers) this.#counts.add(name, number);
  }

  /** Counts a slice into the stored numbers; returns them, and ends their time, after the last. */
  #countNext(tx: WriteTx, nowMs: number): [CountName, number][] | undefined {
    const from = findState(tx)?.end;
    // The last slice was committed, although it was reported as failed.
    if (from === undefined || from === null) return storedNumbers(tx);
    const end = countIntoStored(tx, from, { entries: this.#sliceEntries, nowMs });
    if (end === null) {
      removeState(tx);
      return storedNumbers(tx);
    }
    putState(tx, { end });
    return undefined;
  }

  #slice(tx: ReadTx): CountedSlice {
    return countSlice(tx, undefined, this.#sliceEntries);
  }
}
