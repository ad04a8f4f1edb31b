/** Adds up the work on one page of a search, to explain it. */
import type { Clock } from '../../../../kernel/ports/clock.js';
import type { CompiledSearch } from '../matching/compiled-search.js';
import type { EntryTest, SearchExplanation, SearchPath } from '../documents/explanation-schema.js';

const MICROS_PER_MS = 1_000;

/** The work of one read of the store. */
export interface SliceWork {
  readonly entries: number;
  readonly cachedEntries: number;
  readonly foundEntries: number;
  readonly records: number;
  readonly recordBytes: number;
  readonly matches: number;
  readonly entriesMs: number;
  readonly recordsMs: number;
}

type Totals = { -readonly [N in keyof SliceWork]: number };

/** No work. */
export const NO_WORK: SliceWork = {
  entries: 0,
  cachedEntries: 0,
  foundEntries: 0,
  records: 0,
  recordBytes: 0,
  matches: 0,
  entriesMs: 0,
  recordsMs: 0,
};
const NAMES = Object.keys(NO_WORK) as (keyof SliceWork)[];

/** The work so far. */
export class SearchWork {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #startedMs: number;
  readonly #totals: Totals = { ...NO_WORK };
  #slices = 0;
  #turnsMs = 0;

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
    this.#startedMs = clock.monotonic();
  }

  /** Milliseconds from a fixed moment. */
  now(): number {
    return this.#clock.monotonic();
  }

  /** Adds a read of the store. */
  add(slice: SliceWork): void {
    this.#slices += 1;
    for (const name of NAMES) this.#totals[name] += slice[name];
  }

  /** Waits, and adds how long it took. */
  async wait(turn: () => Promise<void>): Promise<void> {
    const startedMs = this.#clock.monotonic();
    await turn();
    this.#turnsMs += this.#clock.monotonic() - startedMs;
  }

  /** Explains the work. */
  explain(path: SearchPath, compiled: CompiledSearch): SearchExplanation {
    const { entriesMs, recordsMs, ...totals } = this.#totals;
    return {
      path,
      entry_tests: entryTestsOf(compiled),
      slices: this.#slices,
      entries: totals.entries,
      cached_entries: totals.cachedEntries,
      found_entries: totals.foundEntries,
      records: totals.records,
      record_bytes: totals.recordBytes,
      matches: totals.matches,
      took: {
        entries_micros: microsOf(entriesMs),
        records_micros: microsOf(recordsMs),
        turns_micros: microsOf(this.#turnsMs),
        total_micros: microsOf(this.#clock.monotonic() - this.#startedMs),
      },
    };
  }
}

function microsOf(millis: number): number {
  return Math.round(millis * MICROS_PER_MS);
}

function entryTestsOf({ entries, nowMs }: CompiledSearch): EntryTest[] {
  const tests: (EntryTest | false)[] = [
    nowMs !== -Infinity && 'expiry',
    (entries.text !== null || entries.terms !== null) && 'text',
    entries.type !== null && 'type',
    entries.tags.length > 0 && 'tags',
  ];
  return tests.filter((test) => test !== false);
}
