/**
 * Searches for the best matches by their words, from the contract alone
 * (docs/contract/search.md#sea-65): matches are counted, weighed, and lent to by their neighbours.
 */
import type { MemoryRecord, SearchMatch } from '@agentkeep/core';
import { equated } from './equated.js';
import { countedWith, termsShown } from './memory-rarity.js';
import { textsOf } from './memory-words.js';
import type {
  BestModel,
  Entry,
  FoundTermModel,
  Ranked,
  Rarities,
  Search,
  SearchedPage,
  SearchedRecords,
  SearchStart,
} from './searched-page.js';

const FIRST = 300;
const TIMES = 4;
const APART = 120_000;

interface CountedTerm extends FoundTermModel {
  readonly times: number;
}

/** A match, and what each of its terms counts. */
interface Weighed {
  readonly id: string;
  readonly space: string;
  readonly record: MemoryRecord;
  readonly terms: readonly CountedTerm[];
}

type Shares = ReadonlyMap<number, number>;

function sharesOf({ record, terms }: Weighed, { matches, records }: Rarities): Shares {
  const bytes = textsOf(record).reduce((sum, text) => sum + Buffer.byteLength(equated(text)), 0);
  const shares = terms.map(({ at, times }) => {
    const rarity = Math.log(1 + matches / Math.max(1, records[at] ?? 0));
    const often = Math.min(TIMES, times);
    return [at, (rarity * often) / (often + 0.1 + bytes / 450)] as const;
  });
  return new Map(shares);
}

function ownWeight(shares: Shares): number {
  return [...shares.values()].reduce((sum, each) => sum + each, 0);
}

/** Puts the first matches in their order. */
function ordered(first: readonly Weighed[], rarities: Rarities): BestModel[] {
  const all = first.map((each) => ({ ...each, shares: sharesOf(each, rarities) }));
  type Each = (typeof all)[number];
  const eventOf = ({ record }: Each) => record.payload.event_time_millis;
  const isAfter = (one: Each, other: Each) =>
    eventOf(one) > eventOf(other) || (eventOf(one) === eventOf(other) && one.id > other.id);
  const ranked = all.map((each) => {
    const others = all.filter(({ space, id }) => space === each.space && id !== each.id);
    const before = others.filter((other) => isAfter(each, other));
    const after = others.filter((other) => isAfter(other, each));
    const neighbours = [
      before.find((one) => before.every((other) => other === one || isAfter(one, other))),
      after.find((one) => after.every((other) => other === one || isAfter(other, one))),
    ].flatMap((other) => other ?? []);
    const near = neighbours.filter((other) => Math.abs(eventOf(each) - eventOf(other)) <= APART);
    const said = new Map(
      near.flatMap(({ terms }) => terms.map((term) => [term.at, term] as const)),
    );
    const nearby = [...said.values()]
      .filter(({ at }) => !each.shares.has(at))
      .sort((one, other) => one.at - other.at);
    const lent = nearby.reduce(
      (sum, { at }) => sum + Math.max(...near.map(({ shares }) => shares.get(at) ?? 0)),
      0,
    );
    return { each, nearby, weight: ownWeight(each.shares) + 0.5 * lent };
  });
  return ranked
    .sort((one, other) => other.weight - one.weight || (one.each.id < other.each.id ? 1 : -1))
    .map(({ each: { id, record }, nearby }) => ({ id, revision: record.revision, nearby }));
}

/** Returns a page of the best matches. */
export function pageOfBest(
  found: SearchedRecords,
  { limit = 20, scan_limit = 10_000 }: Search,
  place: SearchStart,
  termsIn: (record: MemoryRecord) => CountedTerm[],
): SearchedPage {
  const weighedOf = (entry: Entry): Weighed[] => {
    const record = found.shown(entry)?.record;
    if (record === undefined) return [];
    return [{ id: record.record_id, space: entry.space, record, terms: termsIn(record) }];
  };
  const isOrdered = place.best !== undefined;
  const examined = isOrdered ? [] : found.behind.slice(0, scan_limit);
  const isWhole = examined.length < scan_limit;
  const id = examined.at(-1)?.record.record_id;
  const scanned = examined.length;
  const here = examined.flatMap(weighedOf);
  let rarities = place.rarities;
  if (rarities?.isWhole !== true) {
    const isFirst = place.id === undefined;
    rarities = { ...countedWith(here, rarities), isWhole };
    if (!isWhole) return { matches: [], scanned, next: { id, rarities } };
    if (!isFirst) return { matches: [], scanned, next: { rarities } };
  }
  const counts = rarities;
  const counted_matches = counts.matches;
  const now = (one: string): Weighed[] =>
    found.all.filter(({ record }) => record.record_id === one).flatMap(weighedOf);
  const keyOf = (each: Weighed) => 0 - ownWeight(sharesOf(each, counts));
  const isBefore = (one: Ranked, other: Ranked) =>
    one.key === other.key ? one.id > other.id : one.key < other.key;
  const top = [...(place.top ?? []), ...here.map((each) => ({ key: keyOf(each), id: each.id }))]
    .sort((one, other) => (isBefore(one, other) ? -1 : 1))
    .slice(0, FIRST);
  if (!isWhole && !isOrdered) {
    return { matches: [], scanned, counted_matches, next: { id, top, rarities } };
  }
  const same = ({ id: one, key }: Ranked) => now(one).filter((each) => keyOf(each) === key);
  const left = place.best ?? ordered(top.flatMap(same), counts);
  const matches = left.slice(0, limit).flatMap(({ id: one, revision, nearby }): SearchMatch[] => {
    const entry = found.all.find(({ record }) => record.record_id === one);
    const match = entry && found.shown(entry);
    if (match?.record.revision !== revision) return [];
    const terms = termsIn(match.record);
    const shown = termsShown(terms, counts).map((term, index) => {
      return { ...term, times: Math.min(TIMES, terms[index]!.times) };
    });
    return [{ ...match, terms: shown, nearby: termsShown(nearby, counts) }];
  });
  const best = left.slice(limit);
  const next = best.length === 0 ? undefined : { rarities, best };
  return { matches, scanned, counted_matches, next };
}
