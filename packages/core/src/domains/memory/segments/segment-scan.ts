/** The scan of segments for one part of a query: its filter and bounds, and its matches. */
import type {
  KeyBounds,
  Match,
  ScannedPart,
  ScanPart,
  SearchFilter,
  WantedFact,
} from '../../../kernel/ports/memory-scan.js';
import { gramHashes } from './columns/signature.js';
import type { FactColumn, FactColumns } from './facts/fact-columns.js';
import type { SegmentFacts } from './facts/segment-facts.js';
import { ScannedTerms } from './words/scanned-terms.js';

/** Entries read in one slice if they are cached too, which doubles the time for each. */
const REMEMBERED_ENTRIES = 512;

/** What a search says of an entry that it finds. */
interface FoundEntry {
  /** Entries after those that are counted, up to this one. */
  readonly ahead: number;
  readonly isEnded: Match['isEnded'];
  readonly leastKey: Match['leastKey'];
  readonly terms: Match['terms'];
  readonly weighed: Match['weighed'];
  readonly otherTerms: Match['otherTerms'];
  readonly isMeetingFacts: Match['isMeetingFacts'];
}

/** Counts entries and collects matches. */
export class SegmentScan {
  readonly filter: SearchFilter;
  readonly nowMs: number;
  readonly endedMs: ScanPart['endedMs'];
  /** The type as text of one character per byte. */
  readonly type: string | undefined;
  readonly matches: Match[] = [];
  readonly #entries: number;
  readonly #records: number;
  readonly #isPassing: boolean;
  readonly #hashes: readonly Uint32Array[];
  readonly #keys: KeyBounds | undefined;
  readonly listed: ScanPart['listed'];
  readonly isHidden: ScanPart['isHidden'];
  /** The terms that matches have; absent if none are wanted. */
  readonly terms: ScannedTerms | undefined;
  /** The terms of a second order; absent if there is none. */
  readonly otherTerms: ScannedTerms | undefined;
  /** What filters ask of facts; absent if they ask for none. */
  readonly facts: ScannedFacts | undefined;
  /** Whether matches say how often they have each term. */
  readonly isWeighed: boolean;
  /** Takes the matches, if their entries say all that is asked. */
  readonly tally: ScanPart['tally'];
  /** Takes memory of the cache for what the search learns. Returns whether there is any left. */
  readonly takes: (bytes: number) => boolean;
  #leftOut = 0;
  #examined = 0;
  /** About the bytes that were looked at. */
  work = 0;
  /** Id of the last entry, once a bound of the part was reached. */
  last: string | undefined;

  constructor(
    { filter, nowMs, endedMs, entries, records, keys, listed, isHidden, tally, ...asked }: ScanPart,
    takes: (bytes: number) => boolean,
  ) {
    this.filter = filter;
    this.nowMs = nowMs;
    this.endedMs = endedMs;
    this.type = filter.type?.toString('latin1');
    this.#entries = entries;
    this.#records = records;
    this.#keys = keys;
    this.listed = listed;
    this.isHidden = isHidden;
    const { facts = [], isWeighed, isPassing } = asked;
    this.isWeighed = isWeighed === true;
    this.#isPassing = isPassing === true;
    this.terms = filter.terms === null ? undefined : new ScannedTerms(filter.terms, isWeighed);
    const { otherTerms } = keys ?? {};
    this.otherTerms = otherTerms === undefined ? undefined : new ScannedTerms(otherTerms);
    this.facts = facts.length === 0 ? undefined : new ScannedFacts(facts);
    this.tally = tally;
    this.takes = takes;
    const patterns = filter.text === null ? filter.tags : [filter.text, ...filter.tags];
    this.#hashes = patterns
      .map(({ bytes }) => gramHashes(bytes))
      .filter(({ length }) => length > 0);
  }

  /** Whether nothing but an index of words tells candidates apart. */
  get isByIndex(): boolean {
    return this.terms !== undefined && this.filter.text === null;
  }

  /** Entries examined so far. */
  get examined(): number {
    return this.#examined;
  }

  /** Entries that may still be examined. */
  get entriesLeft(): number {
    return this.#entries - this.#examined;
  }

  /** Matches that may still be found. */
  get recordsLeft(): number {
    return this.#records - this.matches.length;
  }

  /** Grams that every match contains, as sets of hashes. */
  get hashes(): readonly Uint32Array[] {
    return this.#hashes;
  }

  /** Whether a bound was reached. */
  get isFull(): boolean {
    return this.entriesLeft === 0 || this.recordsLeft === 0;
  }

  /** Whether entries that can't match may be passed. */
  get mayPass(): boolean {
    return this.#isPassing && this.recordsLeft > 0;
  }

  /** Entries to examine of those that are remembered too. */
  get rememberedEntries(): number {
    return Math.min(this.entriesLeft, REMEMBERED_ENTRIES);
  }

  /** Counts entries that were examined. */
  pass(entries: number): void {
    this.#examined += entries;
  }

  /** Matches that were left out, since they are not among the first of an order. */
  get leftOut(): number {
    return this.#leftOut;
  }

  /** Returns a lower bound of the key of an entry, if its terms or known facts say it. */
  leastKeyOf(facts: SegmentFacts | undefined, index: number): number | undefined {
    const keys = this.#keys;
    if (keys?.leastKeyOfTerms !== undefined && this.terms !== undefined) {
      return keys.leastKeyOfTerms(this.terms.of(index));
    }
    if (keys === undefined || facts?.isKnown(index) !== true) return undefined;
    this.work += keys.work;
    return keys.leastKey(facts, index);
  }

  /** Returns whether a key comes after the first ones. */
  isPast(leastKey: number | undefined): boolean {
    return leastKey !== undefined && this.#keys?.isPast(leastKey) === true;
  }

  /** Counts a match that is left out. */
  leaveOut(): void {
    this.#leftOut += 1;
  }

  /** Adds a match. */
  found(recordId: string, revision: number, { ahead, ...known }: FoundEntry): void {
    this.matches.push({ recordId, revision, examined: this.#examined + ahead, ...known });
  }

  /** Returns the matches of segments, followed by those that the store had after them. */
  followedBy(scanned: ScannedPart): ScannedPart {
    const examined = this.#examined;
    if (examined === 0) return scanned;
    const shifted = scanned.matches.map((match) => ({
      ...match,
      examined: examined + match.examined,
    }));
    return {
      ...scanned,
      matches: [...this.matches, ...shifted],
      examined: examined + scanned.examined,
      cached: examined,
      leftOut: this.#leftOut,
    };
  }
}

/** A fact of the segment that is searched. */
interface Tested {
  readonly column: FactColumn;
  /** By the number of a value: 1 if the value passes the test, 0 if not. */
  readonly passes: Uint8Array;
}

/** The tests of one scan. */
export class ScannedFacts {
  readonly #wanted: readonly WantedFact[];
  #tested: readonly Tested[] = [];

  constructor(wanted: readonly WantedFact[]) {
    this.#wanted = wanted;
  }

  /** Begins with a segment, by its columns; `undefined` if it has none. */
  begin(columns: FactColumns | undefined): void {
    this.#tested = this.#wanted.flatMap(({ name, test }) => {
      const column = columns?.use(name);
      if (column === undefined) return [];
      return {
        column,
        passes: Uint8Array.from([0, ...column.values.map((it) => Number(test(it)))]),
      };
    });
  }

  /** Returns whether an entry can match: `true` and `false` are sure, `undefined` is unknown. */
  decide(index: number): boolean | undefined {
    let isSure = this.#tested.length === this.#wanted.length;
    for (const { column, passes } of this.#tested) {
      const number = column.numbers[index] ?? 0;
      if (number === 0) isSure = false;
      else if (passes[number] === 0) return false;
    }
    return isSure ? true : undefined;
  }
}
