/**
 * Searches of memory from the contract alone (docs/contract/search.md): every record is looked at.
 */
import type {
  MemoryRecord,
  Scope,
  SearchFilterInput,
  SearchMatch,
  SearchOrder,
} from '@agentkeep/core';
import { type Attached, NOTHING_ATTACHED } from '../embedding-model.js';
import { sorted } from '../memory-command.js';
import { isDerivedFrom } from '../memory-filter.js';
import { countedAmong, hasRoomFor } from './memory-counts.js';
import { type HybridRules, pageOfHybrid } from './memory-hybrid.js';
import { pageOfBest } from './memory-best.js';
import { pageOfRarity } from './memory-rarity.js';
import { equated } from './equated.js';
import { isNamedIn } from './memory-names.js';
import { hasWords, highlightsIn, termsIn, textsOf, wordsIn } from './memory-words.js';
import { Refusal } from '../outcome.js';
import type {
  Entry,
  Ranked,
  Search,
  SearchedPage,
  SearchedRecords,
  SearchStart,
} from './searched-page.js';

export type { Search, SearchedPage, SearchStart };

type Member = NonNullable<SearchFilterInput['members']>[number];
type Times = NonNullable<SearchFilterInput['event_time']>;

/** A search, and what it compares. */
interface Asked extends Search {
  readonly attached: Attached;
}

/** The embedding that a search compares. */
function embeddingOf(record: MemoryRecord, { attached }: Asked): readonly number[] {
  const own = attached.hasOwn ? (record.payload.content.embedding ?? []) : [];
  if (own.length > 0) return own;
  return attached.find(record.record_id, record.revision) ?? [];
}

/** Returns one page of a search of some spaces. */
export function pageOfSearch(
  entries: Iterable<Entry>,
  scopes: ReadonlyMap<string, Scope>,
  asked: { search: Search; cursor: SearchStart; now: number; attached?: Attached },
): SearchedPage {
  const { cursor, now, attached = NOTHING_ATTACHED } = asked;
  const search: Asked = { ...asked.search, attached };
  const { order = 'newest', limit = 20, scan_limit = 10_000 } = search;
  const isWithin = limit >= 1 && limit <= 100 && scan_limit >= 1 && scan_limit <= 10_000;
  if (!isWithin || !hasOrderInput(search)) throw new Refusal('invalid_request');
  const isNewest = !order.startsWith('oldest');
  const keyOf = keysBy[order];
  const all = [...entries].filter(({ space }) => scopes.has(space));
  const shown = ({ space, record }: Entry): SearchMatch | undefined => {
    const { payload } = record;
    if (payload === null || !isFound({ ...record, payload }, search, now)) return undefined;
    return matchOf(scopes.get(space)!, { ...record, payload }, search);
  };
  const idOf = ({ record }: Entry) => record.record_id;
  const inOrder = all.sort((one, other) => (idOf(one) < idOf(other) === isNewest ? 1 : -1));
  if (search.counts !== undefined) {
    return pageOfCounts(inOrder.filter(isBehindOf(cursor, isNewest)), shown, search);
  }
  const behind = inOrder.filter(isBehindOf(cursor, isNewest));
  const found = { all, behind, shown };
  if (order === 'hybrid') return pageOfHybrid(found, search, cursor, hybridRules(found, search));
  if (order === 'rarest_words' || order === 'best_words') {
    const termsOf = (record: MemoryRecord) => termsIn(record, search.filter!.words!);
    return (order === 'best_words' ? pageOfBest : pageOfRarity)(found, search, cursor, termsOf);
  }
  const isBefore = (one: Ranked, other: Ranked) =>
    one.key === other.key
      ? one.id !== other.id && one.id > other.id === isNewest
      : one.key < other.key;
  const matches: SearchMatch[] = [];
  const met = new Map<string, number[]>();
  let top = [...(cursor.top ?? [])];
  let scanned = 0;
  for (const entry of inOrder.filter(isBehindOf(cursor, isNewest))) {
    const { record_id: id } = entry.record;
    scanned += 1;
    const match = shown(entry);
    if (match !== undefined && keyOf === undefined) matches.push(match);
    if (match !== undefined && keyOf !== undefined) {
      const key = keyOf(match.record, search);
      const isRanked =
        key !== undefined && (cursor.start === undefined || isBefore(cursor.start, { key, id }));
      if (isRanked) top.push({ key, id });
      met.set(entry.space, [
        ...(met.get(entry.space) ?? []),
        embeddingOf(match.record, search).length,
      ]);
      top = top.sort((one, other) => (isBefore(one, other) ? -1 : 1)).slice(0, limit);
    }
    if (matches.length === limit || scanned === scan_limit) {
      requireDimension(met, search);
      const next = keyOf === undefined ? { id } : { id, start: cursor.start, top };
      return { matches, scanned, next };
    }
  }
  if (keyOf === undefined) return { matches, scanned, next: undefined };
  requireDimension(met, search);
  for (const { id, key } of top) {
    const entry = all.find(({ record }) => record.record_id === id);
    const match = entry && shown(entry);
    if (match !== undefined && keyOf(match.record, search) === key) matches.push(match);
  }
  const next = top.length < limit ? undefined : { start: top.at(-1) };
  return { matches, scanned, next };
}

/** Tells which entries were not examined yet. */
function isBehindOf({ id }: SearchStart, isNewest: boolean): (entry: Entry) => boolean {
  return ({ record: { record_id: each } }) =>
    id === undefined || (each !== id && each < id === isNewest);
}

/** A page of counts of some entries. */
function pageOfCounts(
  entries: readonly Entry[],
  shown: (entry: Entry) => SearchMatch | undefined,
  { counts: { by = [] } = {}, scan_limit = 10_000 }: Search,
): SearchedPage {
  const counted: MemoryRecord[] = [];
  let last = { id: '', scanned: 0 };
  let scanned = 0;
  for (const entry of entries) {
    const { record_id: id } = entry.record;
    const record = shown(entry)?.record;
    if (record !== undefined && !hasRoomFor(record, counted, by)) {
      return { matches: [], scanned: last.scanned, next: last, counts: countedAmong(counted, by) };
    }
    scanned += 1;
    if (record !== undefined) {
      counted.push(record);
      last = { id, scanned };
    }
    if (scanned === scan_limit) {
      return { matches: [], scanned, next: { id }, counts: countedAmong(counted, by) };
    }
  }
  return { matches: [], scanned, next: undefined, counts: countedAmong(counted, by) };
}

/** Returns whether a search has the input that its order uses. */
function hasOrderInput(search: Search): boolean {
  const { order = 'newest', filter, vector, words, join, counts } = search;
  const isHybrid = order === 'hybrid';
  if (join !== undefined && !isHybrid) return false;
  const isEndedHidden = (filter?.expired ?? 'hidden') === 'hidden';
  if (search.successors === true && (order !== 'best_words' || !isEndedHidden)) return false;
  if (counts !== undefined && order !== 'newest' && order !== 'oldest') return false;
  const isByWords = ['most_words', 'rarest_words', 'best_words'].includes(order);
  if (isByWords && (filter?.words ?? null) === null) return false;
  if (isHybrid !== (words !== undefined)) return false;
  if ((isHybrid || order === 'nearest') !== (vector !== undefined)) return false;
  const isFlat = vector?.values.every((value) => Math.fround(value) === 0) ?? false;
  return !isFlat || (vector?.metric ?? 'cosine') !== 'cosine';
}

/** What ranks records by words and a vector. */
function hybridRules({ shown }: SearchedRecords, search: Asked): HybridRules {
  const { words = { text: '' } } = search;
  return {
    keysOf: (record) => ({
      terms: hasWords(words, textsOf(record)) ? termsIn(record, words) : undefined,
      distance: distanceOf(record, search),
    }),
    check: (examined) => {
      requireDimension(dimensionsOf(examined, shown, search), search);
    },
  };
}

/** The dimensions of embeddings of matches, by space. */
function dimensionsOf(
  entries: readonly Entry[],
  shown: SearchedRecords['shown'],
  search: Asked,
): ReadonlyMap<string, number[]> {
  const met = new Map<string, number[]>();
  for (const entry of entries) {
    const record = shown(entry)?.record;
    if (record === undefined) continue;
    met.set(entry.space, [...(met.get(entry.space) ?? []), embeddingOf(record, search).length]);
  }
  return met;
}

/** Requires an embedding of the dimension of the vector where there are embeddings. */
function requireDimension(met: ReadonlyMap<string, number[]>, { vector }: Search): void {
  for (const dimensions of met.values()) {
    const others = dimensions.filter((each) => each > 0);
    const isMissing = vector !== undefined && !others.includes(vector.values.length);
    if (others.length > 0 && isMissing) throw new Refusal('invalid_request');
  }
}

/** The distance in 64 bits, with one plain loop for each sum. */
function distanceOf(record: MemoryRecord, search: Asked): number | undefined {
  const { vector } = search;
  const { values, metric = 'cosine' } = vector!;
  const wanted = values.map(Math.fround);
  const own = embeddingOf(record, search).map(Math.fround);
  if (own.length !== wanted.length) return undefined;
  const sum = (of: (at: number) => number) => own.reduce((total, _own, at) => total + of(at), 0);
  const dot = sum((at) => wanted[at]! * own[at]!);
  if (metric === 'dot') return 0 - dot;
  if (metric === 'euclidean') return Math.sqrt(sum((at) => (wanted[at]! - own[at]!) ** 2));
  const length = Math.sqrt(sum((at) => own[at]! ** 2));
  return length === 0 ? undefined : 1 - dot / (Math.sqrt(sum((at) => wanted[at]! ** 2)) * length);
}

type KeyOf = (record: MemoryRecord, search: Asked) => number | undefined;

/** The least key comes first. */
const keysBy: Readonly<Record<SearchOrder, KeyOf | undefined>> = {
  newest: undefined,
  oldest: undefined,
  newest_event: ({ payload }) => 0 - payload.event_time_millis,
  oldest_event: ({ payload }) => payload.event_time_millis,
  newest_change: ({ modified_at_millis }) => 0 - modified_at_millis,
  oldest_change: ({ modified_at_millis }) => modified_at_millis,
  most_words: (record, { filter }) => 0 - wordsIn(record, filter!.words!),
  rarest_words: undefined,
  best_words: undefined,
  nearest: distanceOf,
  hybrid: undefined,
};

function matchOf(scope: Scope, record: MemoryRecord, search: Asked): SearchMatch {
  const { filter = {}, order, words: ranked, highlights = false } = search;
  const { words = null } = filter;
  return {
    scope,
    record,
    ...(order === 'most_words' ? { words_found: wordsIn(record, words!) } : {}),
    ...(ranked === undefined ? {} : { words_found: wordsIn(record, ranked) }),
    ...(search.vector !== undefined ? distanceMember(distanceOf(record, search)) : {}),
    ...(highlights ? { highlights: highlightsIn(record, filter, ranked) } : {}),
  };
}

function distanceMember(distance: number | undefined): { distance?: number } {
  return distance === undefined ? {} : { distance };
}

/** Returns whether a record that isn't deleted matches a filter. */
function isFound(record: MemoryRecord, search: Asked, now: number): boolean {
  const { filter = {} } = search;
  const isEmbedded = embeddingOf(record, search).length > 0;
  const { payload, author, name } = record;
  const { content, tags, event_time_millis: event, valid_until_millis: end } = payload;
  const texts = [content.primary, content.secondary ?? '', content.context ?? ''];
  const isExpired = end !== null && end <= now;
  const { expired = 'hidden', valid_at_millis: at = null, name_prefix: prefix = null } = filter;
  const { text_contains: part = null, words = null, named_in: namedIn = null } = filter;
  const all = filter.tags?.all ?? [];
  const none = filter.tags?.none ?? [];
  const { subject_id: subject = null, credential_id: credential = null } = filter.author ?? {};
  return (
    isEmbedded === (filter.embedded ?? isEmbedded) &&
    (expired === 'included' || isExpired === (expired === 'only')) &&
    (at === null || (event <= at && (end === null || at < end))) &&
    (filter.episode_types?.some((type) => sorted(type) === sorted(payload.episode_type)) ?? true) &&
    all.every((tag) => tags.includes(tag)) &&
    (filter.tags?.any?.some((tag) => tags.includes(tag)) ?? true) &&
    none.every((tag) => !tags.includes(tag)) &&
    (subject === null || subject === author.subject_id) &&
    (credential === null || credential.toLowerCase() === author.credential_id) &&
    isWithin(event, filter.event_time) &&
    isWithin(record.created_at_millis, filter.created) &&
    isWithin(record.modified_at_millis, filter.modified) &&
    (prefix === null || name?.slice(0, prefix.length) === prefix) &&
    (namedIn === null || isNamedIn(namedIn, record)) &&
    (filter.sources?.some((each) => each === payload.source) ?? true) &&
    isDerivedFrom(payload, filter.derived_from) &&
    (filter.members ?? []).every((member) => holds(member, record)) &&
    (part === null || texts.some((text) => equated(text).includes(equated(part)))) &&
    (words === null || hasWords(words, texts))
  );
}

function isWithin(time: number, times: Times | null = null): boolean {
  if (times === null) return true;
  const { from_millis, before_millis } = times;
  return (from_millis ?? -Infinity) <= time && time < (before_millis ?? Infinity);
}

function holds(member: Member, { payload }: MemoryRecord): boolean {
  const root: unknown = member.of === 'metadata' ? payload.metadata : payload.content.data;
  let found: readonly unknown[] = [root];
  for (const name of member.path) {
    const [value] = found;
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    found = isObject
      ? Object.entries(value)
          .filter(([each]) => each === name)
          .map(([, inner]) => inner as unknown)
      : [];
  }
  const [value] = found;
  const same = (one: unknown) => found.length > 0 && sorted(one) === sorted(value);
  const compare = (bound: string | number | undefined, ok: (sign: number) => boolean) =>
    bound === undefined ||
    (found.length > 0 &&
      typeof value === typeof bound &&
      ok(value === bound ? 0 : (value as string) > (bound as string) ? 1 : -1));
  return (
    (member.exists === undefined || member.exists === found.length > 0) &&
    (member.equals === undefined || same(member.equals)) &&
    (member.not_equals === undefined || !same(member.not_equals)) &&
    compare(member.above, (sign) => sign > 0) &&
    compare(member.at_least, (sign) => sign >= 0) &&
    compare(member.below, (sign) => sign < 0) &&
    compare(member.at_most, (sign) => sign <= 0) &&
    (member.one_of === undefined || member.one_of.some(same)) &&
    !(member.none_of ?? []).some(same) &&
    (member.contains === undefined ||
      (Array.isArray(value) && value.some((item) => sorted(item) === sorted(member.contains))))
  );
}
