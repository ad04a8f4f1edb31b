/** The pages of a search by rarity: the matches are counted first, and ranked then. */
import type { SearchPage } from '../documents/schema.js';
import { ScopeStream } from '../examination/scope-stream.js';
import { orderByRarity, rarityKey, type TermCounts } from '../matching/rarity.js';
import { TopMatches } from '../matching/top-matches.js';
import { CountingPage } from './counting-page.js';
import { FIRST_RANKS, listOf, rarityCursor, rarityPlaceIn } from './search-cursor.js';
import { walk } from './search-page.js';
import {
  type CursorOf,
  namespacesOf,
  type PlannedSearch,
  rankedPage,
  type Request,
  topPage,
} from './search-pages.js';

/**
 * Returns a page in the order of rarity; empty while matches are left to count or to rank. If one
 * page counts all matches, it ranks them too. Otherwise they are examined again.
 */
export async function pageByRarity(request: Request, search: PlannedSearch): Promise<SearchPage> {
  const { document, plan, places } = search;
  const { filter, order, limit, scan_limit, cursor } = document;
  // The first matches of a page are as many as its limit, so that it may not change on the way.
  const list = listOf([order, filter, limit], namespacesOf(places));
  const terms = plan.compiled.terms.length;
  const place = rarityPlaceIn(list, cursor, { terms, matches: limit, scopes: places.length });
  if (place.ranks !== undefined) {
    return rankedPage(
      request,
      rankedSearch(search, place.counts),
      place.ranks,
      cursorWith(place.counts),
    );
  }
  const streams = places.map((each) => new ScopeStream(plan, each, place.position));
  const page = new CountingPage(place, scan_limit);
  const isExhausted = await walk(request, streams, page, plan.order.isBackward);
  const { counts } = page.place;
  const scanned_records = page.examined;
  if (isExhausted && cursor === null) {
    const top = firstOf(page, counts, limit);
    return topPage(
      request,
      rankedSearch(search, counts),
      { top, scanned_records },
      cursorWith(counts),
    );
  }
  const next = isExhausted ? { counts, ranks: FIRST_RANKS } : page.place;
  return { matches: [], next_cursor: rarityCursor(list, next), scanned_records };

  function cursorWith(counted: TermCounts): CursorOf {
    return (ranks) => rarityCursor(list, { counts: counted, ranks });
  }
}

/** Returns the search in the order that the counts of its terms give. */
function rankedSearch(search: PlannedSearch, counts: TermCounts): PlannedSearch {
  const { plan } = search;
  return { ...search, plan: { ...plan, order: orderByRarity(plan.compiled, counts) } };
}

/** Returns the first of the matches that a page counted. */
function firstOf({ found }: CountingPage, counts: TermCounts, most: number) {
  const first = new TopMatches([], { most, isBackward: true });
  for (const { id, scope, bits } of found) first.add({ id, scope, key: rarityKey(bits, counts) });
  return first.matches;
}
