/** The pages of a search: by id, as counts, or by ranks that need a look at every entry. */
import { QUERY_SCAN_LIMIT_MAX } from '../../../../contract/limits.js';
import type { InputSchemas } from '../../../../kernel/input/input-rules.js';
import type { ListIdentity } from '../../../../kernel/lists/cursor.js';
import type { CallRequest } from '../../../../kernel/operation/requests.js';
import { DEFAULT_SPACE } from '../../documents/default-space.js';
import { CountedPage } from './counting-page.js';
import type { CountedBy } from '../documents/counts-schema.js';
import { RankedPage, type RankedProgress } from './ranked-page.js';
import type { SearchFilter, SearchPage, SearchRequest, SearchVector } from '../documents/schema.js';
import { ScopeStream } from '../examination/scope-stream.js';
import type { SearchedScope, SearchPlan } from '../examination/search-plan.js';
import { cursorAfter, idIn, listOf, rankedCursor, rankedProgressIn } from './search-cursor.js';
import { PageById, type PageBounds, walk } from './search-page.js';
import { showMatches } from '../examination/show-matches.js';

/** What a page needs of its call. */
export type Request = Pick<CallRequest<InputSchemas>, 'runtime' | 'turn'>;

/** A search, ready to be answered. */
export interface PlannedSearch {
  readonly document: Omit<SearchRequest, 'vector'> & {
    readonly filter: SearchFilter;
    readonly vector: SearchVector | null;
  };
  readonly plan: SearchPlan;
  readonly scopes: readonly SearchedScope[];
}

/** Returns a page in the order of ids. */
export async function pageById(request: Request, search: PlannedSearch): Promise<SearchPage> {
  const { limit, scan_limit, cursor } = search.document;
  const list = listOfSearch(search, []);
  const after = idIn(list, cursor);
  const page = await examineById(request, search, after, {
    matches: limit,
    entries: scan_limit,
    // A smaller page was asked for, so that it ends after as many entries.
    isPassing: scan_limit === QUERY_SCAN_LIMIT_MAX,
  });
  return {
    matches: page.matches,
    next_cursor: page.last === undefined ? null : cursorAfter(list, page.last),
    scanned_records: page.examined,
  };
}

/** Examines the entries after an id, in the order of ids, until a page ends. */
export async function examineById(
  request: Request,
  { plan, scopes }: Pick<PlannedSearch, 'plan' | 'scopes'>,
  after: string | undefined,
  bounds: PageBounds,
): Promise<PageById> {
  const streams = scopes.map((scope) => new ScopeStream(plan, scope, after));
  const page = new PageById(bounds);
  await walk(request, streams, page, plan.order.isBackward);
  return page;
}

/** Returns a page of counts, in the order of ids. */
export async function pageOfCounts(
  request: Request,
  search: PlannedSearch,
  by: readonly CountedBy[],
): Promise<SearchPage> {
  const { document, plan, scopes } = search;
  const { scan_limit, cursor } = document;
  const list = listOfSearch(search, ['counts']);
  const after = idIn(list, cursor);
  const streams = scopes.map((scope) => new ScopeStream(plan, scope, after));
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
  const { document, scopes } = search;
  const { limit, cursor } = document;
  // The first matches of a page are as many as its limit, so that it may not change on the way.
  const list = listOfSearch(search, ['vector', 'limit']);
  const progress = rankedProgressIn(list, cursor, { matches: limit, scopes: scopes.length });
  return rankedPage(request, search, (next) => rankedCursor(list, next), progress);
}

/** Goes on with the examination of a ranked page, and shows it once all entries were examined. */
export async function rankedPage(
  request: Request,
  search: PlannedSearch,
  cursorOf: CursorOf,
  progress: RankedProgress,
): Promise<SearchPage> {
  const { document, plan, scopes } = search;
  const { vector, limit, scan_limit } = document;
  const { isBackward } = plan.order;
  const streams = scopes.map((each) => new ScopeStream(plan, each, progress.position));
  const page = new RankedPage(progress, { matches: limit, entries: scan_limit }, isBackward);
  const isExhausted = await walk(request, streams, page, isBackward);
  for (const stream of streams) stream.addDimensionsTo(page.dimensions);
  if (vector !== null) page.dimensions.require(vector.values);
  const scanned_records = page.examined;
  if (!isExhausted) {
    return { matches: [], next_cursor: cursorOf(page.progress), scanned_records };
  }
  return topPage(request, search, cursorOf, { top: page.progress.top, scanned_records });
}

/** Returns the cursor of the progress through the ranks. */
export type CursorOf = (progress: RankedProgress) => string;

/** Shows the first matches of what was examined. */
export async function topPage(
  request: Request,
  search: PlannedSearch,
  cursorOf: CursorOf,
  { top, scanned_records }: Pick<RankedProgress, 'top'> & Pick<SearchPage, 'scanned_records'>,
): Promise<SearchPage> {
  const { limit } = search.document;
  const { matches, count } = await showMatches(request, search, top);
  const isLast = top.length < limit && count === top.length;
  const next: RankedProgress = { start: top[count - 1], position: undefined, top: [] };
  return { matches, next_cursor: isLast ? null : cursorOf(next), scanned_records };
}

/** Returns what cursors of a search belong to: its scopes, order, filter and further members. */
export function listOfSearch(
  { document, plan, scopes }: PlannedSearch,
  members: readonly ('vector' | 'words' | 'join' | 'counts' | 'limit')[],
): ListIdentity {
  const { space } = plan.compiled;
  const parts: unknown[] = [
    document.order,
    document.filter,
    ...members.map((member) => document[member]),
  ];
  if (space !== DEFAULT_SPACE) parts.push(space);
  if (document.as_of !== null) parts.push({ as_of: document.as_of });
  if (document.successors) parts.push({ successors: true });
  return listOf(
    parts,
    scopes.map(({ namespace }) => namespace),
  );
}
