/**
 * Searches by words and a vector from the contract alone (docs/contract/search.md#sea-39): matches
 * are counted and ranked by distance, then ranked by the rarity of their words, then joined.
 */
import type { MemoryRecord, SearchMatch } from '@agentkeep/core';
import { countedWith, rareKey, termsShown } from './memory-rarity.js';
import type {
  Entry,
  FoundTermModel,
  JoinedModel,
  Ranked,
  Search,
  SearchedPage,
  SearchedRecords,
  SearchStart,
} from './searched-page.js';

const DEPTH = 100;
/** How ranks are joined unless the search says. */
const EVEN = { offset: 60, vector_weight: 1 };

/** What a record is ranked by; undefined where it isn't. */
interface HybridKeys {
  readonly terms: readonly FoundTermModel[] | undefined;
  readonly distance: number | undefined;
}

/** What ranks records. */
export interface HybridRules {
  readonly keysOf: (record: MemoryRecord) => HybridKeys;
  /** Refuses a vector that fits none of the embeddings that a page examined. */
  readonly check: (examined: readonly Entry[]) => void;
}

/** A match of the page. */
interface Joined {
  readonly id: string;
  readonly ranks: NonNullable<SearchMatch['ranks']>;
  readonly keys: { readonly words: number | undefined; readonly vector: number | undefined };
}

/** Returns a page in the order by words and distance. */
export function pageOfHybrid(
  found: SearchedRecords,
  { limit = 20, scan_limit = 10_000, join }: Search,
  place: SearchStart,
  { keysOf, check }: HybridRules,
): SearchedPage {
  const before: JoinedModel = place.joined ?? { words: [], vector: [] };
  const isJoined = before.passed !== undefined;
  const examined = isJoined ? [] : found.behind.slice(0, scan_limit);
  const scanned = examined.length;
  const isWhole = scanned < scan_limit;
  const id = examined.at(-1)?.record.record_id;
  const here = examined.flatMap((entry) => {
    const record = found.shown(entry)?.record;
    return record === undefined ? [] : [{ id: record.record_id, ...keysOf(record) }];
  });
  let rarities = place.rarities;
  let { vector } = before;
  if (rarities?.isWhole !== true) {
    check(examined);
    const isFirst = place.id === undefined;
    const withWords = here.flatMap(({ terms }) => (terms === undefined ? [] : [{ terms }]));
    rarities = { ...countedWith(withWords, rarities), isWhole };
    vector = firstOf(vector, here, ({ distance }) => distance);
    const joined = { words: [], vector };
    if (!isWhole) return { matches: [], scanned, next: { id, rarities, joined } };
    if (!isFirst) return { matches: [], scanned, next: { rarities, joined } };
  }
  const counts = rarities;
  const counted_matches = counts.matches;
  const keyOf = ({ terms }: HybridKeys) => terms && rareKey(terms, counts);
  const words = isJoined ? before.words : firstOf(before.words, here, keyOf);
  if (!isWhole) {
    const next = { id, rarities, joined: { words, vector } };
    return { matches: [], scanned, counted_matches, next };
  }
  const joined = joinedOf(words, vector, { ...EVEN, ...join });
  const passed = before.passed ?? 0;
  const end = Math.min(passed + limit, joined.length);
  const matches = joined.slice(passed, end).flatMap(({ id: each, ranks, keys }) => {
    const match = shownNow(found, each);
    if (match === undefined) return [];
    const now = keysOf(match.record);
    const isSame =
      (keys.words === undefined || keys.words === keyOf(now)) &&
      (keys.vector === undefined || keys.vector === now.distance);
    return isSame ? [{ ...match, terms: termsShown(now.terms ?? [], counts), ranks }] : [];
  });
  const next =
    end === joined.length ? undefined : { rarities, joined: { words, vector, passed: end } };
  return { matches, scanned, counted_matches, next };
}

function shownNow({ all, shown }: SearchedRecords, id: string): SearchMatch | undefined {
  const entry = all.find(({ record }: Entry) => record.record_id === id);
  return entry && shown(entry);
}

function joinedOf(
  words: readonly Ranked[],
  vector: readonly Ranked[],
  { offset, vector_weight }: typeof EVEN,
): Joined[] {
  const ids = new Set([...words, ...vector].map(({ id }) => id));
  const joined = [...ids].map((id): Joined => {
    const [byWords, byVector] = [rankIn(words, id), rankIn(vector, id)];
    return {
      id,
      ranks: { words: byWords?.rank ?? null, vector: byVector?.rank ?? null },
      keys: { words: byWords?.key, vector: byVector?.key },
    };
  });
  const sumOf = ({ ranks }: Joined) =>
    (ranks.words === null ? 0 : 1 / (offset + ranks.words)) +
    (ranks.vector === null ? 0 : vector_weight / (offset + ranks.vector));
  joined.sort((one, other) => (one.id < other.id ? 1 : -1));
  return joined.sort((one, other) => sumOf(other) - sumOf(one));
}

function firstOf(
  before: readonly Ranked[],
  examined: readonly (HybridKeys & { readonly id: string })[],
  keyOf: (keys: HybridKeys) => number | undefined,
): Ranked[] {
  const added = examined.flatMap((each) => {
    const key = keyOf(each);
    return key === undefined ? [] : [{ id: each.id, key }];
  });
  const all = [...before, ...added].sort((one, other) => (one.id < other.id ? 1 : -1));
  return all.sort((one, other) => one.key - other.key).slice(0, DEPTH);
}

function rankIn(list: readonly Ranked[], id: string): { rank: number; key: number } | undefined {
  const found = list.find((each) => each.id === id);
  if (found === undefined) return undefined;
  return { rank: 1 + list.filter(({ key }) => key < found.key).length, key: found.key };
}
