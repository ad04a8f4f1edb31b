/** The pages of a search by rarity: the matches are counted first, and ranked then. */
import type { SearchPage } from '../documents/schema.js';
import { ScopeStream } from '../examination/scope-stream.js';
import { orderByRarity, type TermCounts } from '../matching/rarity.js';
import { CountingPage } from './counting-page.js';
import { FIRST_RANKS, rarityCursor, rarityProgressIn } from './search-cursor.js';
import { walk } from './search-page.js';
import {
  type CursorOf,
  listOfSearch,
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
  const { document, plan, scopes } = search;
  const { limit, scan_limit, cursor } = document;
  // The first matches of a page are as many as its limit, so that it may not change on the way.
  const list = listOfSearch(search, ['limit']);
  const terms = plan.compiled.terms.length;
  const progress = rarityProgressIn(list, cursor, { terms, matches: limit, scopes: scopes.length });
  if (progress.ranks !== undefined) {
    const { counts, ranks } = progress;
    return withCount(counts, await rankedPage(request, ...rankedBy(counts), ranks));
  }
  const streams = scopes.map((each) => new ScopeStream(plan, each, progress.position));
  const page = new CountingPage(progress, scan_limit);
  const isExhausted = await walk(request, streams, page, plan.order.isBackward);
  const { counts } = page.progress;
  const scanned_records = page.examined;
  if (isExhausted && cursor === null) {
    const top = page.first(limit);
    return withCount(counts, await topPage(request, ...rankedBy(counts), { top, scanned_records }));
  }
  const next = isExhausted ? { counts, ranks: FIRST_RANKS } : page.progress;
  return { matches: [], next_cursor: rarityCursor(list, next), scanned_records };

  function rankedBy(counts: TermCounts): readonly [PlannedSearch, CursorOf] {
    const order = orderByRarity(plan.compiled, counts);
    const cursorOf: CursorOf = (ranks) => rarityCursor(list, { counts, ranks });
    return [{ ...search, plan: { ...plan, order } }, cursorOf];
  }
}

function withCount({ matches }: TermCounts, page: SearchPage): SearchPage {
  return { ...page, counted_matches: matches };
}
