/** The pages of a search: by id, as counts, or by ranks that need a look at every entry. */
import type { InputSchemas } from '../../../runtime/input/input-rules.js';
import type { CallRequest } from '../../../runtime/operation/requests.js';
import { CountedPage } from './counted-page.js';
import type { CountedBy } from '../documents/counts-schema.js';
import { joinedMatches, JoinedPage, type JoinedPlace } from './joined-page.js';
import { RankedPage, type RankedPlace } from './ranked-page.js';
import type { SearchFilter, SearchPage, SearchRequest } from '../documents/schema.js';
import { ScopeStream } from '../examination/scope-stream.js';
import type { SearchedScope, SearchPlan } from '../examination/search-plan.js';
import { cursorAfter, idIn, listOf, rankedCursor, rankedPlaceIn } from './search-cursor.js';
import { joinedCursor, joinedPlaceIn } from './joined-cursor.js';
import { PageById, walk } from './search-page.js';
import { showMatches } from '../examination/show-matches.js';

/** What a page needs of its call. */
export type Request = Pick<CallRequest<InputSchemas>, 'runtime' | 'turn'>;

/** A search, ready to be answered. */
export interface PlannedSearch {
  readonly document: SearchRequest & { readonly filter: SearchFilter };
  readonly plan: SearchPlan;
  readonly places: readonly SearchedScope[];
}

/** Returns a page in the order of ids. */
export async function pageById(request: Request, search: PlannedSearch): Promise<SearchPage> {
  const { document, plan, places } = search;
  const { filter, order, limit, scan_limit, cursor } = document;
  const list = listOf([order, filter], namespacesOf(places));
  const after = idIn(list, cursor);
  const streams = places.map((place) => new ScopeStream(plan, place, after));
  const page = new PageById({ matches: limit, entries: scan_limit });
  await walk(request, streams, page, plan.order.isBackward);
  return {
    matches: page.matches,
    next_cursor: page.last === undefined ? null : cursorAfter(list, page.last),
    scanned_records: page.examined,
  };
}

/** Returns a page of counts, in the order of ids. */
export async function pageOfCounts(
  request: Request,
  search: PlannedSearch,
  by: readonly CountedBy[],
): Promise<SearchPage> {
  const { document, plan, places } = search;
  const { filter, order, counts, scan_limit, cursor } = document;
  const list = listOf([order, filter, counts], namespacesOf(places));
  const after = idIn(list, cursor);
  const streams = places.map((place) => new ScopeStream(plan, place, after));
  const page = new CountedPage(by, scan_limit);
  await walk(request, streams, page, plan.order.isBackward);
  return {
    matches: [],
    next_cursor: page.last === undefined ? null : cursorAfter(list, page.last),
    scanned_records: page.examined,
    counts: page.counts,
  };
}

/** Returns a page in the order of ranks; empty while entries are left to examine. */
export async function pageByRank(request: Request, search: PlannedSearch): Promise<SearchPage> {
  const { document, places } = search;
  const { filter, order, vector, limit, cursor } = document;
  // The first matches of a page are as many as its limit, so that it may not change on the way.
  const list = listOf([order, filter, vector, limit], namespacesOf(places));
  const place = rankedPlaceIn(list, cursor, { matches: limit, scopes: places.length });
  return rankedPage(request, search, (next) => rankedCursor(list, next), place);
}

/** Goes on with the examination of a ranked page, and shows it once all entries were examined. */
export async function rankedPage(
  request: Request,
  search: PlannedSearch,
  cursorOf: CursorOf,
  place: RankedPlace,
): Promise<SearchPage> {
  const { document, plan, places } = search;
  const { vector, limit, scan_limit } = document;
  const { isBackward } = plan.order;
  const streams = places.map((each) => new ScopeStream(plan, each, place.position));
  const page = new RankedPage(place, { matches: limit, entries: scan_limit }, isBackward);
  const isExhausted = await walk(request, streams, page, isBackward);
  for (const stream of streams) stream.addDimensionsTo(page.dimensions);
  if (vector !== null) page.dimensions.require(vector.values);
  const scanned_records = page.examined;
  if (!isExhausted) {
    return { matches: [], next_cursor: cursorOf(page.place), scanned_records };
  }
  return topPage(request, search, cursorOf, { top: page.place.top, scanned_records });
}

/** Returns the cursor of a place in the ranks. */
export type CursorOf = (place: RankedPlace) => string;

/** Shows the first matches of what was examined. */
export async function topPage(
  request: Request,
  search: PlannedSearch,
  cursorOf: CursorOf,
  { top, scanned_records }: Pick<RankedPlace, 'top'> & Pick<SearchPage, 'scanned_records'>,
): Promise<SearchPage> {
  const { limit } = search.document;
  const { matches, count } = await showMatches(request, search, top);
  const isLast = top.length < limit && count === top.length;
  const next: RankedPlace = { start: top[count - 1], position: undefined, top: [] };
  return { matches, next_cursor: isLast ? null : cursorOf(next), scanned_records };
}

/** Returns a page in the joined order; empty while entries are left to examine. */
export async function pageByJoinedRanks(
  request: Request,
  search: PlannedSearch,
): Promise<SearchPage> {
  const { document, plan, places } = search;
  const { filter, order, vector, words, limit, scan_limit, cursor } = document;
  const list = listOf([order, filter, vector, words], namespacesOf(places));
  const start = joinedPlaceIn(list, cursor, places.length);
  let place = start;
  let scanned_records = 0;
  if (start.passed === undefined) {
    const streams = places.map((each) => new ScopeStream(plan, each, start.position));
    const page = new JoinedPage(start, scan_limit);
    const isExhausted = await walk(request, streams, page, plan.order.isBackward);
    for (const stream of streams) stream.addDimensionsTo(page.dimensions);
    page.dimensions.require(vector?.values ?? []);
    ({ place, examined: scanned_records } = page);
    if (!isExhausted) {
      return { matches: [], next_cursor: joinedCursor(list, place), scanned_records };
    }
  }
  const passed = place.passed ?? 0;
  const joined = joinedMatches(place);
  const { matches, count } = await showMatches(
    request,
    search,
    joined.slice(passed, passed + limit),
  );
  const next: JoinedPlace = { ...place, position: undefined, passed: passed + count };
  const isLast = passed + count === joined.length;
  return { matches, next_cursor: isLast ? null : joinedCursor(list, next), scanned_records };
}

/** Returns the namespaces of searched scopes. */
export function namespacesOf(places: readonly SearchedScope[]) {
  return places.map(({ namespace }) => namespace);
}
