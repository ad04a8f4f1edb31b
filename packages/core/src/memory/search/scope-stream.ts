/** The entries of one scope of a search, in order, read a slice at a time. */
import type { Namespace } from '../../access/namespace.js';
import type { Scope } from '../../access/scope.js';
import { SEARCH_SLICE_RECORD_BYTES, QUERY_SLICE_RECORDS } from '../../contract/limits.js';
import type { ScanMemory, ScannedPart } from '../../runtime/ports/memory-scan.js';
import type { ReadTx } from '../../storage/store/store.js';
import { idOfEntry, recordOfEntry } from '../memory-store.js';
import type { StoredRecord } from '../record-layout.js';
import { scanStored } from '../scan-memory.js';
import type { CompiledSearch } from './compiled-search.js';
import type { CountedBy } from './counts-schema.js';
import { type Group, groupsOf } from './group-counts.js';
import type { SearchMatch } from './schema.js';
import { embeddingOf } from './embedding-of.js';
import type { CompiledOrder } from './search-order.js';
import type { SearchWork, SliceWork } from './search-work.js';
import { type Shown, showMatch } from './shown-match.js';

/** About the bytes of the names in a shown match. */
export const MATCH_FRAME_BYTES = 800;

/** A match with about the bytes that it takes in an answer. */
export interface FoundMatch {
  /** Absent if the order has keys, or if matches are counted. */
  readonly match: SearchMatch | undefined;
  readonly bytes: number;
  /** Index of its scope. */
  readonly scope: number;
  /** Its key in the order, if the order has keys and a place for it. */
  readonly key: number | undefined;
  /** Its key by words, if the order has a second key and a place for it. */
  readonly wordsKey: number | undefined;
  /** Number of components of its embedding; 0 if it has none. */
  readonly dimension: number;
  /** What it is counted by, if matches are counted. */
  readonly groups: readonly Group[];
}

/** Some entries in a row; only the last of them can be a match. */
export interface Step {
  /** Id of the last of them. */
  readonly id: string;
  readonly entries: number;
  readonly found?: FoundMatch;
}

/** What all scopes of a search have in common. */
export interface SearchPlan {
  readonly compiled: CompiledSearch;
  readonly order: CompiledOrder;
  readonly shown: Shown;
  readonly scan: ScanMemory;
  /** Whether entries of several scopes are put in one order, so that each needs its id. */
  readonly isMerged: boolean;
  /** Most matches of a page. */
  readonly matches: number;
  /** What matches are counted by, in place of being shown. */
  readonly countedBy?: readonly CountedBy[] | undefined;
  /** Measures the work; what was found doesn't depend on it. */
  readonly work: SearchWork;
}

/** The slice that a read took, to be added once the read is over. */
export interface ReadSlice {
  readonly steps: readonly Step[];
  /** Where it ended; absent at the end of the scope. */
  readonly last: string | undefined;
  readonly remember?: (() => void) | undefined;
  readonly work: SliceWork;
}

/** A scope of a search. */
export interface SearchedScope {
  readonly index: number;
  readonly scope: Scope;
  readonly namespace: Namespace;
}

/** A scope under way. */
export class ScopeStream {
  readonly #plan: SearchPlan;
  readonly #place: SearchedScope;
  #after: string | undefined;
  #steps: readonly Step[] = [];
  #next = 0;
  #isRead = false;
  #slices = 0;

  constructor(plan: SearchPlan, place: SearchedScope, after: string | undefined) {
    this.#plan = plan;
    this.#place = place;
    this.#after = after;
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
  add({ steps, last, remember, work }: ReadSlice): void {
    remember?.();
    this.#plan.work.add(work);
    this.#steps = steps;
    this.#next = 0;
    this.#after = last;
    this.#isRead = last === undefined;
    this.#slices += 1;
  }

  /** Reads the next slice, of at most this number of entries. It may run more than once. */
  read(tx: ReadTx, entries: number): ReadSlice {
    const { compiled, order, scan, isMerged, matches, countedBy, work } = this.#plan;
    const startedMs = work.now();
    const isFirst = this.#slices === 0 && order.keyOf === undefined && countedBy === undefined;
    const ids: string[] = [];
    const scanned = (isMerged ? scanListed(ids) : scan)(tx, {
      namespace: this.#place.namespace,
      filter: compiled.entries,
      nowMs: compiled.nowMs,
      after: this.#after,
      entries,
      // At first as if entries decided: the last records should cost no more than they are.
      records: isFirst ? matches : this.#isCountedByEntries ? entries : QUERY_SLICE_RECORDS,
      isBackward: order.isBackward,
    });
    // Fetch records once the range is closed: the store allows no get while one is open.
    const scannedMs = work.now();
    const { found, end, ...read } = this.#recordsOf(tx, scanned);
    const steps = isMerged
      ? ids.slice(0, end.examined).map((id) => stepOf(id, 1, found.get(id)))
      : stepsOf(scanned, found, end);
    return {
      steps,
      last: end.last,
      remember: scanned.remember,
      work: {
        entries: scanned.examined,
        cachedEntries: scanned.cached ?? 0,
        foundEntries: scanned.matches.length,
        ...read,
        matches: found.size,
        entriesMs: scannedMs - startedMs,
        recordsMs: work.now() - scannedMs,
      },
    };
  }

  /** Whether no record need be read to count it. */
  get #isCountedByEntries(): boolean {
    const { compiled, countedBy } = this.#plan;
    return compiled.isDecidedByEntries && countedBy?.length === 0;
  }

  /** Reads records until there are enough bytes for one slice. */
  #recordsOf(
    tx: ReadTx,
    scanned: ScannedPart,
  ): {
    readonly found: ReadonlyMap<string, FoundMatch>;
    readonly end: Pick<ScannedPart, 'examined' | 'last'>;
    readonly records: number;
    readonly recordBytes: number;
  } {
    const { compiled } = this.#plan;
    const { index, namespace } = this.#place;
    const found = new Map<string, FoundMatch>();
    if (this.#isCountedByEntries) {
      for (const { recordId } of scanned.matches) found.set(recordId, countedMatch(index));
      return { found, end: scanned, records: 0, recordBytes: 0 };
    }
    let records = 0;
    let recordBytes = 0;
    for (const { recordId, revision, examined } of scanned.matches) {
      const { value: record, bytes } = recordOfEntry(tx, namespace, recordId, revision);
      if (compiled.matches(record)) {
        found.set(recordId, this.#matchOf(recordId, record, bytes));
      }
      records += 1;
      recordBytes += bytes;
      if (recordBytes >= SEARCH_SLICE_RECORD_BYTES) {
        return { found, end: { examined, last: recordId }, records, recordBytes };
      }
    }
    return { found, end: scanned, records, recordBytes };
  }

  #matchOf(recordId: string, record: StoredRecord, bytes: number): FoundMatch {
    const { order, countedBy } = this.#plan;
    const { index, scope } = this.#place;
    // Of an order with keys only the first matches are shown, and they are read again then.
    const isShown = order.keyOf === undefined && countedBy === undefined;
    return {
      match: isShown ? showMatch(scope, recordId, record, this.#plan) : undefined,
      bytes: bytes + MATCH_FRAME_BYTES,
      scope: index,
      key: order.keyOf?.(record),
      wordsKey: order.wordsKeyOf?.(record),
      dimension: embeddingOf(record).length,
      groups: groupsOf(record, countedBy ?? []),
    };
  }
}

/** Returns a match of which nothing but its number counts. */
function countedMatch(scope: number): FoundMatch {
  const keys = { key: undefined, wordsKey: undefined };
  return { match: undefined, bytes: 0, scope, ...keys, dimension: 0, groups: [] };
}

/** Scans the store and collects the ids of all entries. */
function scanListed(ids: string[]): ScanMemory {
  return (tx, part) =>
    scanStored(tx, { ...part, visited: (_entry, key) => ids.push(idOfEntry(key)) });
}

function stepOf(id: string, entries: number, found: FoundMatch | undefined): Step {
  return found === undefined ? { id, entries } : { id, entries, found };
}

/** Returns a step for each match, and one for the entries after them. */
function stepsOf(
  { matches }: ScannedPart,
  found: ReadonlyMap<string, FoundMatch>,
  end: Pick<ScannedPart, 'examined' | 'last'>,
): Step[] {
  const steps: Step[] = [];
  let passed = 0;
  for (const { recordId, examined } of matches) {
    const match = found.get(recordId);
    if (match === undefined) continue;
    steps.push(stepOf(recordId, examined - passed, match));
    passed = examined;
  }
  // At the end of the scope its last id is of no use.
  if (end.examined > passed) steps.push(stepOf(end.last ?? '', end.examined - passed, undefined));
  return steps;
}
