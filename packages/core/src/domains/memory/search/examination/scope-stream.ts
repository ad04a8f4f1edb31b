/** The entries of one scope of a search, in order, read a slice at a time. */
import { QUERY_SLICE_RECORDS } from '../../../../contract/limits.js';
import type { ScannedPart } from '../../../../kernel/ports/memory-scan.js';
import type { ReadTx } from '../../../../storage/store/store.js';
import { type OpenRanks, RankBounds, type RankBasis } from '../matching/rank-bounds.js';
import type { Dimensions } from '../matching/dimensions.js';
import { type FoundMatch, isDoneByEntries, type ReadMatches, readMatches } from './read-matches.js';
import type { SearchedScope, SearchPlan } from './search-plan.js';
import type { SliceWork } from './search-work.js';
import type { Tally } from './tallied-matches.js';

/** Enough matches for slices that the cache keeps in both directions. */
const RANKED_SLICE_MATCHES = 256;

/** Some entries in a row; only the last of them can be a match. */
export interface Step {
  /** Id of the last of them. */
  readonly id: string;
  readonly entries: number;
  readonly found?: FoundMatch | undefined;
}

/** The slice that a read took, to be added once the read is over. */
export interface ReadSlice {
  readonly steps: readonly Step[];
  /** Its matches, if the page takes them together. */
  readonly tallied: Tally | undefined;
  /** Where it ended; absent at the end of the scope. */
  readonly last: string | undefined;
  /** Whether it ended before the last examined entry because records were large. */
  readonly isCut: boolean;
  readonly remember: () => void;
  /** The dimensions of embeddings of entries that were left out. */
  readonly dimensions: ReadonlySet<number>;
  readonly work: SliceWork;
}

/** The room that a page has left. */
interface PageRoom {
  readonly entriesLeft: number;
  /** Whether it goes on, once they are used up, past those that can't match. */
  readonly isPassing?: boolean;
  /** Absent if it takes all matches. */
  readonly matchesLeft?: number;
  /** Begins to take matches together of which entries say enough; absent if it takes none so. */
  readonly tally?: ((scope: number) => Tally) | undefined;
}

/** A scope under way. */
export class ScopeStream {
  readonly #plan: SearchPlan;
  readonly #searched: SearchedScope;
  #after: string | undefined;
  #steps: readonly Step[] = [];
  #next = 0;
  #isRead = false;
  #slices = 0;
  readonly #dimensions = new Set<number>();

  constructor(plan: SearchPlan, searched: SearchedScope, after: string | undefined) {
    this.#plan = plan;
    this.#searched = searched;
    this.#after = after;
  }

  /** Index of the scope. */
  get scope(): number {
    return this.#searched.index;
  }

  /** Adds the dimensions of embeddings of entries that were left out. */
  addDimensionsTo(dimensions: Dimensions): void {
    for (const each of this.#dimensions) dimensions.add(this.scope, each);
  }

  /** The next step that was read, if there is one. */
  get next(): Step | undefined {
    return this.#steps[this.#next];
  }

  /** Whether a slice must be read before the next step is known. */
  get isWaiting(): boolean {
    return this.next === undefined && !this.#isRead;
  }

  /** Goes on to the step after the next one. */
  pass(): void {
    this.#next += 1;
  }

  /** Adds what {@link read} returned. */
  add({ steps, last, remember, dimensions, work }: ReadSlice): void {
    remember();
    for (const each of dimensions) this.#dimensions.add(each);
    this.#plan.work.add(work);
    this.#steps = steps;
    this.#next = 0;
    this.#after = last;
    this.#isRead = last === undefined;
    this.#slices += 1;
  }

  /** Reads the next slice, within the room that a page has left. It may run more than once. */
  read(tx: ReadTx, page: PageRoom, ranks?: OpenRanks): ReadSlice {
    const { compiled, isMerged, order } = this.#plan;
    const { estimate } = order;
    if (estimate === undefined || ranks === undefined) {
      const slice = this.#read(tx, page, undefined);
      // What is tallied can't be cut, so that the matches are taken one by one.
      const isWhole = slice.tallied === undefined || !slice.isCut;
      return isWhole ? slice : this.#read(tx, { ...page, tally: undefined }, undefined);
    }
    const readFor = (basis: RankBasis) =>
      this.#read(tx, page, new RankBounds(estimate, ranks, basis));
    if (isMerged) return readFor('page');
    const isDecided = compiled.isDecidedByEntries && compiled.endedMs === undefined;
    if (!isDecided) return readFor('records');
    const slice = readFor('entries');
    // Entries after the end of the slice may change before they are read, so they exclude none.
    return slice.isCut ? readFor('records') : slice;
  }

  #read(tx: ReadTx, page: PageRoom, bounds: RankBounds | undefined): ReadSlice {
    const { compiled, order, isMerged, work } = this.#plan;
    const startedMs = work.now();
    const ids: string[] = [];
    // With several scopes, a page may end before the matches of a slice.
    const isTallied = !isMerged && isDoneByEntries(this.#plan);
    const tallied = isTallied ? page.tally?.(this.scope) : undefined;
    const scanned = this.#searched.source.scan(tx, {
      namespace: this.#searched.namespace,
      filter: compiled.entries,
      nowMs: compiled.nowMs,
      endedMs: compiled.endedMs,
      after: this.#after,
      entries: page.entriesLeft,
      isPassing: page.isPassing === true && !isMerged,
      records: this.#matchesOfSlice(page, bounds, tallied !== undefined),
      isBackward: order.isBackward,
      keys: bounds,
      facts: compiled.facts,
      tally: tallied,
      isWeighed: order.isWeighed,
      listed: isMerged ? (id) => ids.push(id) : undefined,
    });
    // Fetch records once the range is closed: the store allows no get while one is open.
    const scannedMs = work.now();
    const read = readMatches(tx, scanned, { plan: this.#plan, searched: this.#searched, bounds });
    const { found, end, facts } = read;
    const steps = isMerged
      ? stepsOfAll(ids.slice(0, end.examined), scanned, found)
      : stepsOf(scanned, found, end);
    const { remember, learn } = scanned;
    const tally = tallied?.length ?? 0;
    return {
      steps,
      tallied,
      last: end.last,
      isCut: end !== scanned,
      remember: () => {
        remember?.();
        learn?.(facts);
      },
      dimensions: bounds?.dimensions ?? new Set(),
      work: {
        entries: scanned.examined,
        cachedEntries: scanned.cached ?? 0,
        foundEntries: scanned.matches.length + tally + (scanned.leftOut ?? 0),
        records: read.records,
        recordBytes: read.recordBytes,
        matches: read.matches + tally,
        entriesMs: scannedMs - startedMs,
        recordsMs: work.now() - scannedMs,
      },
    };
  }

  /** Returns the most matches that a slice looks for. */
  #matchesOfSlice(page: PageRoom, bounds: RankBounds | undefined, isTallied: boolean): number {
    const { entriesLeft, matchesLeft = Infinity } = page;
    const hasEnded = this.#plan.compiled.endedMs !== undefined;
    if (isDoneByEntries(this.#plan) && (isTallied || !hasEnded)) return entriesLeft;
    if (bounds !== undefined) return RANKED_SLICE_MATCHES;
    // At first as if entries decided: the last records should cost no more than they are.
    const isDecided = this.#plan.compiled.isDecidedByEntries || this.#slices === 0;
    return Math.min(isDecided ? matchesLeft : Infinity, QUERY_SLICE_RECORDS);
  }
}

/** Returns a step for each entry. */
function stepsOfAll(
  ids: readonly string[],
  { matches }: ScannedPart,
  found: ReadMatches['found'],
): Step[] {
  const foundBy = new Map(matches.map(({ recordId }, index) => [recordId, found[index]]));
  return ids.map((id) => ({ id, entries: 1, found: foundBy.get(id) }));
}

/** Returns a step for each match, and one for the entries after them. */
function stepsOf(
  { matches }: ScannedPart,
  found: ReadMatches['found'],
  end: Pick<ScannedPart, 'examined' | 'last'>,
): Step[] {
  const steps: Step[] = [];
  let passed = 0;
  for (let index = 0; index < found.length; index += 1) {
    const [at, match] = [matches[index], found[index]];
    if (match === undefined || at === undefined) continue;
    steps.push({ id: at.recordId, entries: at.examined - passed, found: match });
    passed = at.examined;
  }
  // At the end of the scope its last id is of no use.
  if (end.examined > passed) steps.push({ id: end.last ?? '', entries: end.examined - passed });
  return steps;
}
