/** Reads and tests the records of matching entries, and computes their keys and facts. */
import { QUERY_SLICE_RECORD_BYTES } from '../../../../contract/limits.js';
import type {
  Match,
  NamedFact,
  RankFacts,
  RecordFacts,
  ScannedPart,
  WeighedEntry,
} from '../../../../kernel/ports/memory-scan.js';
import type { ReadTx } from '../../../../storage/store/store.js';
import type { Measured } from '../../../../storage/store/subspace.js';
import { withLostSources } from '../../record/lost-sources.js';
import type { StoredRecord } from '../../record/record-layout.js';
import type { CompiledSearch } from '../matching/compiled-search.js';
import { embeddingOf } from '../matching/embedding-of.js';
import { heldFactsOf } from '../matching/filter-members.js';
import { groupsOf } from './counted-groups.js';
import type { Group } from './group-counts.js';
import type { RankBounds } from '../matching/rank-bounds.js';
import type { SearchMatch } from '../documents/schema.js';
import type { SearchedScope, SearchPlan } from './search-plan.js';
import { showMatch } from './shown-match.js';

/** Records that are asked for at once where one is missing. */
const READ_AHEAD = 64;

const NO_FACTS: readonly NamedFact[] = [];
const NO_GROUPS: readonly Group[] = [];

/** A match with about the bytes that it takes in an answer. */
export interface FoundMatch {
  /** Absent if the order has keys, or if matches are counted. */
  readonly match: SearchMatch | undefined;
  readonly bytes: number;
  /** Index of its scope. */
  readonly scope: number;
  /** Its key, if the order has keys and ranks it. */
  readonly key: number | undefined;
  /** Its key by words, if the order has a second key and ranks it by words. */
  readonly wordsKey: number | undefined;
  /** Number of components of its embedding; 0 if it has none. */
  readonly dimension: number;
  /** How often it has each term, if matches are weighed. */
  readonly weighed: WeighedEntry | undefined;
  /** The revision of its entry. */
  readonly revision: number;
  /** Whether it ended, and matches since another record superseded it. */
  readonly isEnded?: boolean | undefined;
  /** What it is counted by, if matches are counted. */
  readonly groups: readonly Group[];
}

/** What was read of the matches of one slice. */
export interface ReadMatches {
  /** One for each match that was looked at, in their order; `undefined` where it is none. */
  readonly found: readonly (FoundMatch | undefined)[];
  /** How many of these there are. */
  readonly matches: number;
  /** The end of the slice. If records are large, it ends before the last examined entry. */
  readonly end: Pick<ScannedPart, 'examined' | 'last'>;
  /** Facts of records that the cache lacks. */
  readonly facts: readonly RecordFacts[];
  readonly records: number;
  readonly recordBytes: number;
}

/** The search that matches belong to. */
interface MatchedSearch {
  readonly plan: SearchPlan;
  readonly searched: SearchedScope;
  readonly bounds: RankBounds | undefined;
}

/** Whether what is known of a match is enough, before it is shown. */
function isShownLater({ countedBy, order }: SearchPlan): boolean {
  return countedBy === undefined
    ? order.estimate?.keyOfTerms !== undefined
    : countedBy.length === 0;
}

/** Whether no record need be read before matches are shown. */
export function isDoneByEntries(plan: SearchPlan): boolean {
  return plan.compiled.isDecidedByEntries && isShownLater(plan);
}

/** Reads records until there are enough bytes for one slice. */
export function readMatches(
  tx: ReadTx,
  scanned: ScannedPart,
  { plan, searched, bounds }: MatchedSearch,
): ReadMatches {
  const { compiled } = plan;
  const found: (FoundMatch | undefined)[] = [];
  let matches = 0;
  const facts: RecordFacts[] = [];
  // More at once in an order: once facts are known, the few that are left are read in one slice.
  const bytesMax = bounds === undefined ? plan.sliceRecordBytes : QUERY_SLICE_RECORD_BYTES;
  let records = 0;
  let recordBytes = 0;
  const isLater = isShownLater(plan);
  for (const entry of scanned.matches) {
    const { recordId, examined, leastKey, otherTerms } = entry;
    const isMeetingFacts = entry.isMeetingFacts === true && entry.isEnded !== true;
    const isPast = leastKey !== undefined && bounds?.isPast(leastKey) === true;
    if (isPast && (otherTerms ?? 0) === 0) {
      found.push(undefined);
      continue;
    }
    const isDecided = compiled.isDecidedByEntries && entry.isEnded !== true;
    const isMatch = isDecided || (compiled.isDecidedByFacts && isMeetingFacts);
    if (isMatch && isPast) {
      found.push({ ...entryMatch(entry, searched, plan), key: undefined, wordsKey: otherTerms });
      matches += 1;
      continue;
    }
    if (isMatch && isLater) {
      const match = entryMatch(entry, searched, plan);
      found.push(match);
      matches += 1;
      if (match.key !== undefined) bounds?.addRead(match.key, leastKey);
      continue;
    }
    const next = () => scanned.matches.slice(found.length + 1, found.length + READ_AHEAD);
    const { value: record, bytes } = recordOf(tx, searched, entry, next);
    const values = isMeetingFacts ? NO_FACTS : valuesOf(record, compiled);
    const ranks =
      bounds !== undefined && leastKey === undefined ? ranksOf(record, compiled) : undefined;
    if (values.length > 0 || ranks !== undefined) facts.push({ recordId, ranks, values });
    const isFound = isMatch || compiled.matches(record);
    const shown = isFound ? withLostSources(tx, searched.namespace, recordId, record) : undefined;
    const match = shown && matchOf(entry, shown, bytes, { plan, searched });
    found.push(match);
    matches += Number(isFound);
    if (match?.key !== undefined) bounds?.addRead(match.key, leastKey);
    records += 1;
    recordBytes += bytes;
    if (recordBytes >= bytesMax) {
      const end = { examined, last: recordId };
      return { found, matches, end, facts, records, recordBytes };
    }
  }
  return { found, matches, end: scanned, facts, records, recordBytes };
}

/**
 * Returns the record of a match. Before a record that is missing is an error, the next ones are
 * asked for: a store over a remote engine loads all that a body asked for before it runs it again.
 *
 * @throws {AgentkeepError} `storage_inconsistency` when it is missing or of another revision.
 */
function recordOf(
  tx: ReadTx,
  { source }: SearchedScope,
  { recordId, revision }: Match,
  next: () => readonly Match[],
): Measured<StoredRecord> {
  try {
    return source.ofEntry(tx, recordId, revision);
  } catch (error) {
    for (const { recordId: id } of next()) source.find(tx, id);
    throw error;
  }
}

function valuesOf({ payload, ...record }: StoredRecord, { facts }: CompiledSearch): NamedFact[] {
  return payload === null || facts.length === 0 ? [] : heldFactsOf({ ...record, payload }, facts);
}

function ranksOf(record: StoredRecord, { space }: CompiledSearch): RankFacts {
  return {
    eventMillis: record.payload?.event_time_millis ?? NaN,
    modifiedMillis: record.modifiedAtMillis,
    space,
    embedding: embeddingOf(record, space),
  };
}

function matchOf(
  { recordId, revision, weighed, isEnded }: Match,
  record: StoredRecord,
  bytes: number,
  { plan, searched }: Omit<MatchedSearch, 'bounds'>,
): FoundMatch {
  const { compiled, order, countedBy } = plan;
  // Of an order with keys only the first matches are shown, and they are read again then.
  const isShown = order.keyOf === undefined && countedBy === undefined;
  return {
    match: isShown ? showMatch(searched.scope, recordId, record, plan) : undefined,
    bytes: bytes + plan.frameBytes,
    scope: searched.index,
    key: order.keyOf?.(record),
    wordsKey: order.wordsKeyOf?.(record),
    dimension: embeddingOf(record, compiled.space).length,
    weighed,
    revision,
    isEnded,
    groups: countedBy === undefined ? NO_GROUPS : groupsOf(record, countedBy),
  };
}

/** Returns a match of which the entry says enough. */
function entryMatch(
  { terms = 0, weighed, revision }: Match,
  { index: scope }: SearchedScope,
  { order, countedBy }: SearchPlan,
): FoundMatch {
  return {
    match: undefined,
    bytes: 0,
    scope,
    key: countedBy === undefined ? order.estimate?.keyOfTerms?.(terms) : undefined,
    wordsKey: undefined,
    dimension: 0,
    weighed,
    revision,
    groups: NO_GROUPS,
  };
}
