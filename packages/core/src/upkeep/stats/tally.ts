/**
 * The tally of a store that only this process changes: how many entries of each kind it holds.
 * Numbers are in memory while the store is open and are stored when it closes. After a crash they
 * are counted again, in slices between other work.
 */
import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../../kernel/ports/clock.js';
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import { asBuffer } from '../../storage/store/bytes.js';
import type { EndedRun } from '../../storage/store/participant.js';
import type { ReadTx, Store, WriteTx } from '../../storage/store/store.js';
import {
  changesIn,
  type CountedChange,
  type CountingRules,
  type CountName,
  Counts,
  type EntryCounts,
  type EntryTally,
  type TallyParts,
} from '../../kernel/counts/counts.js';
import { type CountedSlice, countIntoStored, countSlice, SLICE_ENTRIES } from './count-slice.js';
import {
  addToStored,
  findState,
  putState,
  removeState,
  replaceNumbers,
  storedNumbers,
} from '../stored/tally-store.js';

/**
 * Where the valid numbers are:
 * - `stored`: in the store and in memory; the first change marks the stored numbers as out of date
 *   in its own transaction
 * - `counting`: in the store, up to the first key that isn't counted yet
 * - `followed`: in memory only
 */
type Phase = 'stored' | 'counting' | 'followed';

/** Behind every key: keys begin with UTF-8. */
const BEHIND_ALL = Uint8Array.of(0xff);

const NOTHING: readonly CountedChange[] = [];

/** Counts the entries of a store that only this process has open. */
export class Tally implements EntryTally {
  readonly #store: Store;
  readonly #families: CountingRules;
  readonly #clock: Clock;
  readonly #sliceEntries: number;
  readonly #counts: Counts;
  readonly #onIdle: (() => void)[] = [];
  #phase: Phase = 'followed';
  #counting: Promise<void> | undefined;
  /** Whether the count that is under way has stored where it is. */
  #isBegun = true;
  #underWay = 0;
  #applied = 0;
  #isClosing = false;

  private constructor({ store, families, clock, sliceEntries = SLICE_ENTRIES }: TallyParts) {
    this.#store = store;
    this.#families = families;
    this.#clock = clock;
    this.#sliceEntries = sliceEntries;
    this.#counts = new Counts(clock);
  }

  /** Opens the tally of a store. Call it before anything is written to the store. */
  static async open(parts: TallyParts): Promise<Tally> {
    const tally = new Tally(parts);
    await tally.#resume();
    return tally;
  }

  /** Notes a transaction, whose changes `close` waits for. */
  begin(): void {
    this.#underWay += 1;
  }

  /**
   * Adds the changes of a body to the stored numbers where they apply; returns the rest, for the
   * numbers in memory.
   */
  settle({ tx, notes }: EndedRun): readonly CountedChange[] {
    const changes = changesIn(notes);
    if (changes.length === 0 || this.#phase === 'followed') return changes;
    if (this.#phase === 'stored') {
      removeState(tx);
      return changes;
    }
    const end = findState(tx)?.end;
    // All of it is still to be counted.
    if (end === undefined && !this.#isBegun) return NOTHING;
    // The last slice is committed, but its result hasn't arrived yet.
    if (end === undefined || end === null) return changes;
    for (const { name, by, key } of changes) {
      // Entries from `end` on are still to be counted.
      if (asBuffer(key).compare(end) < 0) addToStored(tx, name, by);
    }
    return NOTHING;
  }

  /** Adds the changes of a committed transaction to the numbers in memory. */
  committed(changes: readonly CountedChange[]): void {
    for (const { name, by } of changes) this.#counts.add(name, by);
    if (changes.length > 0) {
      this.#applied += 1;
      if (this.#phase === 'stored') this.#phase = 'followed';
    }
    this.#underWay -= 1;
    if (this.#underWay > 0) return;
    for (const resolve of this.#onIdle.splice(0)) resolve();
  }

  /** Ends a transaction that changed nothing. */
  failed(): void {
    this.committed(NOTHING);
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
   * Stores the numbers after all running changes. No change may follow. If storing fails, the next
   * opening counts again.
   */
  async close(): Promise<void> {
    this.#isClosing = true;
    await this.#counting?.catch(() => undefined);
    await this.#idle();
    if (this.#phase !== 'followed') return;
    // From now on, any change marks the stored numbers as out of date.
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

  async #resume(): Promise<void> {
    const found = await this.#store.read((tx) => {
      const state = findState(tx);
      if (state === undefined) return { slice: this.#slice(tx), numbers: [] };
      return { state, numbers: state.end === null ? storedNumbers(tx) : [] };
    });
    if (found.state !== undefined) {
      this.#add(found.numbers);
      this.#phase = found.state.end === null ? 'stored' : 'counting';
    } else {
      if (found.slice.end === null) {
        this.#add(found.slice.numbers);
        return;
      }
      // Stored in the background, because a disk that is full must not keep the store from opening.
      this.#phase = 'counting';
      this.#isBegun = false;
    }
    if (this.#phase === 'counting') this.#countOn().catch(() => undefined);
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
    if (!this.#isBegun) {
      await this.#store.transact((tx) => this.#begin(tx));
      this.#isBegun = true;
    }
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

  /** Stores the first slice of a count. */
  #begin(tx: WriteTx): void {
    const { end, numbers } = this.#slice(tx);
    replaceNumbers(tx, numbers, { end: end ?? BEHIND_ALL });
  }

  #add(numbers: Iterable<readonly [CountName, number]>): void {
    for (const [name, number] of numbers) this.#counts.add(name, number);
  }

  /**
   * Adds a slice to the stored numbers. After the last one, returns them and marks them as invalid.
   */
  #countNext(tx: WriteTx, nowMs: number): [CountName, number][] | undefined {
    const from = findState(tx)?.end;
    // The last slice was committed, although it was reported as failed.
    if (from === undefined || from === null) return storedNumbers(tx);
    const end = countIntoStored(tx, this.#families, from, { entries: this.#sliceEntries, nowMs });
    if (end === null) {
      removeState(tx);
      return storedNumbers(tx);
    }
    putState(tx, { end });
    return undefined;
  }

  #slice(tx: ReadTx): CountedSlice {
    return countSlice(tx, this.#families, undefined, this.#sliceEntries);
  }
}
