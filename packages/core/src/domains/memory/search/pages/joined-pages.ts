/**
 * The pages of a search by words and a vector. Matches are ranked by distance and counted by their
 * words first; if one page examines all entries, it ranks them by words too. Otherwise they are
 * examined again.
 */
import type { SearchPage } from '../documents/schema.js';
import type { FoundMatch } from '../examination/read-matches.js';
import { ScopeStream } from '../examination/scope-stream.js';
import type { SearchPlan } from '../examination/search-plan.js';
import { showMatches } from '../examination/show-matches.js';
import type { OpenRanks } from '../matching/rank-bounds.js';
import { orderByRarity, type RarityKey, rarityKeys, type TermCounts } from '../matching/rarity.js';
import type { CompiledOrder } from '../matching/search-order.js';
import { type RankedMatch, TopMatches } from '../matching/top-matches.js';
import { ExaminingPage } from './counting-page.js';
import {
  joinedCursor,
  joinedMatches,
  JoinedPage,
  type JoinedPlace,
  joinedPlaceIn,
  type JoinedProgress,
  type JoinedRanks,
  RANKED,
} from './joined-page.js';
import { walk } from './search-page.js';
import { listOfSearch, type PlannedSearch, type Request } from './search-pages.js';

/** Where a page ends, and the entries that it examined. */
interface Examined {
  readonly place: JoinedPlace;
  readonly entries: number;
}

/** Returns a page in the joined order; empty while entries are left to examine. */
export async function pageByJoinedRanks(
  request: Request,
  search: PlannedSearch,
): Promise<SearchPage> {
  const { document, plan, scopes } = search;
  const { limit, cursor } = document;
  const list = listOfSearch(search, ['vector', 'words', 'join']);
  const terms = plan.compiled.rankedTerms.length;
  const start = joinedPlaceIn(list, cursor, { terms, scopes: scopes.length });
  const { place, entries: scanned_records } = await examine(request, search, start);
  const { counts } = place;
  if (place.step !== 'joined') {
    const page = { matches: [], next_cursor: joinedCursor(list, place), scanned_records };
    return start.step === 'counting' ? page : { ...page, counted_matches: counts.matches };
  }
  const { passed } = place;
  const joined = joinedMatches(place, document.join);
  const counted = { ...search, plan: { ...plan, order: joinedOrder(plan, counts) } };
  const { matches, count } = await showMatches(
    request,
    counted,
    joined.slice(passed, passed + limit),
  );
  const next = { ...place, passed: passed + count };
  return {
    matches,
    next_cursor: next.passed === joined.length ? null : joinedCursor(list, next),
    scanned_records,
    counted_matches: counts.matches,
  };
}

/** Returns the order by distance in which the second keys say how rare the words are. */
export function joinedOrder({ compiled, order }: SearchPlan, counts: TermCounts): CompiledOrder {
  const { keyOf: wordsKeyOf, termsOf } = orderByRarity(compiled, counts);
  return { ...order, wordsKeyOf, termsOf };
}

function examine(request: Request, search: PlannedSearch, place: JoinedPlace): Promise<Examined> {
  switch (place.step) {
    case 'counting':
      return countMatches(request, search, place);
    case 'ranking':
      return rankByWords(request, search, place);
    case 'joined':
      return Promise.resolve({ place, entries: 0 });
  }
}

async function countMatches(
  request: Request,
  { document, plan, scopes }: PlannedSearch,
  start: JoinedProgress,
): Promise<Examined> {
  const streams = scopes.map((each) => new ScopeStream(plan, each, start.position));
  const page = new JoinedPage(start, document.scan_limit);
  const isExhausted = await walk(request, streams, page, plan.order.isBackward);
  for (const stream of streams) stream.addDimensionsTo(page.dimensions);
  page.dimensions.require(document.vector?.values ?? []);
  const { progress, examined: entries } = page;
  if (!isExhausted) return { place: { step: 'counting', ...progress }, entries };
  if (start.position === undefined) {
    const { counts } = progress;
    return { place: { step: 'joined', counts, passed: 0, ...page.ranks }, entries };
  }
  const place = { step: 'ranking', ...progress, position: undefined, byWords: [] } as const;
  return { place, entries };
}

async function rankByWords(
  request: Request,
  { document, plan, scopes }: PlannedSearch,
  start: JoinedProgress & JoinedRanks,
): Promise<Examined> {
  const { position, counts, byDistance } = start;
  const streams = scopes.map((each) => new ScopeStream(plan, each, position));
  const dimension = document.vector?.values.length ?? 0;
  const page = new WordsPage(start, { dimension, entries: document.scan_limit });
  const isExhausted = await walk(request, streams, page, plan.order.isBackward);
  const ranks = { counts, byWords: page.byWords, byDistance };
  const place = isExhausted
    ? ({ step: 'joined', passed: 0, ...ranks } as const)
    : ({ step: 'ranking', position: page.position, ...ranks } as const);
  return { place, entries: page.examined };
}

/** A page of words under way. */
class WordsPage extends ExaminingPage {
  readonly #keyOf: RarityKey;
  readonly #byWords: TopMatches;
  readonly #dimension: number;

  constructor(
    { position, counts, byWords }: JoinedProgress & JoinedRanks,
    { dimension, entries }: { readonly dimension: number; readonly entries: number },
  ) {
    super({ position, entries });
    this.#keyOf = rarityKeys(counts);
    this.#byWords = new TopMatches(byWords, RANKED);
    this.#dimension = dimension;
  }

  /** The first matches by words, in order. */
  get byWords(): readonly RankedMatch[] {
    return this.#byWords.matches;
  }

  /** No distance is taken any more. */
  readonly ranksIn = (): OpenRanks => ({
    matches: RANKED.most,
    startKey: undefined,
    lastKey: -Infinity,
    dimensions: new Set([this.#dimension]),
  });

  protected override take(id: string, { wordsKey: terms, scope }: FoundMatch): void {
    if (terms !== undefined) this.#byWords.add({ key: this.#keyOf(terms), id, scope });
  }
}
