/**
 * Searches by rarity from the contract alone (docs/contract/search.md#sea-47): matches are counted,
 * then all of them are sorted.
 */
import type { MemoryRecord, SearchMatch } from '@agentkeep/core';
import type {
  Entry,
  Rarities,
  Search,
  SearchedPage,
  SearchedRecords,
  SearchStart,
  FoundTermModel,
  Ranked,
} from './searched-page.js';

/** A match with its terms, in the order of the query. */
interface RareMatch {
  readonly match: SearchMatch;
  readonly terms: readonly FoundTermModel[];
}

/** Counts matches and adds them to earlier counts. */
export function countedWith(
  found: readonly Pick<RareMatch, 'terms'>[],
  before: Rarities | undefined,
): Rarities {
  const records = { ...before?.records };
  for (const { terms } of found) {
    for (const { at } of terms) records[at] = (records[at] ?? 0) + 1;
  }
  return { matches: (before?.matches ?? 0) + found.length, records };
}

/** The key of a match: the rarest terms together come first. */
export function rareKey(terms: readonly FoundTermModel[], { matches, records }: Rarities): number {
  let sum = 0;
  for (const { at } of terms) sum += Math.log(1 + matches / Math.max(1, records[at] ?? 0));
  return 0 - sum;
}

/** The terms of a match as they are shown. */
export function termsShown(
  terms: readonly FoundTermModel[],
  { records }: Rarities,
): NonNullable<SearchMatch['terms']> {
  return terms.map(({ at, said }) => ({ text: said, records: Math.max(1, records[at] ?? 0) }));
}

/** A record among the matches, by which they are sorted. */
const idOf = ({ match }: RareMatch): MemoryRecord['record_id'] => match.record.record_id;

/** Returns a page in the order of rarity. */
export function pageOfRarity(
  found: SearchedRecords,
  { limit = 20, scan_limit = 10_000 }: Search,
  place: SearchStart,
  termsIn: (record: MemoryRecord) => FoundTermModel[],
): SearchedPage {
  const matchOfEntry = (entry: Entry): RareMatch[] => {
    const match = found.shown(entry);
    return match === undefined ? [] : [{ match, terms: termsIn(match.record) }];
  };
  const examined = found.behind.slice(0, scan_limit);
  const isWhole = examined.length < scan_limit;
  const id = examined.at(-1)?.record.record_id;
  const scanned = examined.length;
  const here = examined.flatMap(matchOfEntry);
  let rarities = place.rarities;
  if (rarities?.isWhole !== true) {
    const isFirst = place.id === undefined;
    rarities = { ...countedWith(here, rarities), isWhole };
    if (!isWhole) return { matches: [], scanned, next: { id, rarities } };
    if (!isFirst) return { matches: [], scanned, next: { rarities } };
  }
  const counts = rarities;
  const isBefore = (one: Ranked, other: Ranked) =>
    one.key === other.key ? one.id > other.id : one.key < other.key;
  const top = [
    ...(place.top ?? []),
    ...here
      .map((each) => ({ key: rareKey(each.terms, counts), id: idOf(each) }))
      .filter((each) => place.start === undefined || isBefore(place.start, each)),
  ]
    .sort((one, other) => (isBefore(one, other) ? -1 : 1))
    .slice(0, limit);
  const counted_matches = counts.matches;
  if (!isWhole) {
    const next = { id, start: place.start, top, rarities };
    return { matches: [], scanned, counted_matches, next };
  }
  const matches = top.flatMap(({ id: each, key }) => {
    const entry = found.all.find(({ record }) => record.record_id === each);
    const now = entry === undefined ? [] : matchOfEntry(entry);
    return now
      .filter(({ terms }) => rareKey(terms, counts) === key)
      .map((one) => ({ ...one.match, terms: termsShown(one.terms, counts) }));
  });
  const next = top.length < limit ? undefined : { start: top.at(-1), rarities };
  return { matches, scanned, counted_matches, next };
}
