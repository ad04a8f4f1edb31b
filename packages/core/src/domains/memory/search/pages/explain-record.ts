/** Explains why a record is, or is not, among the results of a search. */
import { withLostSources } from '../../record/lost-sources.js';
import type { StoredRecord } from '../../record/record-layout.js';
import type { RecordExplanation } from '../documents/schema.js';
import type { Term } from '../documents/word-terms.js';
import { ScopeStream, type Step } from '../examination/scope-stream.js';
import type { SearchedScope, SearchPlan } from '../examination/search-plan.js';
import { showMatch } from '../examination/shown-match.js';
import { indexesOf } from '../matching/bits.js';
import { orderByRarity } from '../matching/rarity.js';
import {
  comesBefore,
  type CompiledOrder,
  type Rank,
  termsEstimate,
} from '../matching/search-order.js';
import { bestOf, shownBest, shownOrder } from './best-pages.js';
import { CountingPage, type CountingProgress } from './counting-page.js';
import { joinedMatches, JoinedPage } from './joined-page.js';
import { joinedOrder } from './joined-pages.js';
import { noCounts } from './search-cursor.js';
import { type OpenPage, walk } from './search-page.js';
import type { PlannedSearch, Request } from './search-pages.js';
import { WeighingPage } from './weighing-page.js';

/** A record of one of the scopes. */
interface Found {
  readonly searched: SearchedScope;
  readonly record: StoredRecord;
}

/** Its place, and how the search shows it. */
type Placed = Pick<RecordExplanation, 'place' | 'match'>;

const NO_PLACE: Placed = { place: null };

/** Explains a record. Places are told only if one page of the search examines all entries. */
export async function explainRecord(
  request: Request,
  search: PlannedSearch,
  recordId: string,
): Promise<RecordExplanation> {
  const compiled = search.plan.successors?.asked ?? search.plan.compiled;
  const found = await findIn(request, search, recordId);
  if (found === undefined) {
    const nothing = { matches: false, conditions: [], terms_found: [], place: null };
    return { record_id: recordId, scope: null, ...nothing };
  }
  const conditions = compiled.conditions(found.record);
  const matches = conditions.every(({ holds }) => holds);
  const terms = indexesOf(compiled.termsFound(found.record));
  return {
    record_id: recordId,
    scope: found.searched.scope,
    matches,
    conditions: [...conditions],
    terms_found: terms.flatMap((at) => compiled.terms[at]?.said ?? []),
    ...(matches || search.document.successors
      ? await placeOf(request, search, recordId, found)
      : NO_PLACE),
  };
}

function findIn(
  { runtime }: Request,
  { scopes }: PlannedSearch,
  recordId: string,
): Promise<Found | undefined> | Found | undefined {
  return runtime.store.read((tx) => {
    for (const searched of scopes) {
      const record = searched.source.find(tx, recordId)?.value;
      if (record === undefined || record.payload === null) continue;
      return { searched, record: withLostSources(tx, searched.namespace, recordId, record) };
    }
    return undefined;
  });
}

async function placeOf(
  request: Request,
  search: PlannedSearch,
  id: string,
  found: Found,
): Promise<Placed> {
  const { plan } = search;
  if (plan.order.wordsKeyOf !== undefined) return joinedPlaceOf(request, search, id, found);
  if (plan.order.isWeighed === true) return bestPlaceOf(request, search, id, found);
  const order = await countedOrder(request, search);
  if (order === undefined) return NO_PLACE;
  const key = order.keyOf === undefined ? 0 : order.keyOf(found.record);
  if (key === undefined) return NO_PLACE;
  // In an order of ids all matches have one key, so that entries decide where they can.
  const isById = order.keyOf === undefined;
  const keyed = isById ? { ...order, keyOf: () => 0, estimate: termsEstimate(() => 0) } : order;
  const page = new PlacePage({ key, id }, order.isBackward, search.document.scan_limit);
  if (!(await walkAll(request, search, { ...plan, order: keyed }, page))) return NO_PLACE;
  const match = showMatch(found.searched.scope, id, found.record, { ...plan, order });
  return { place: page.place, match };
}

/** Returns the order of the search, once matches are counted where it goes by rarity. */
async function countedOrder(
  request: Request,
  search: PlannedSearch,
): Promise<CompiledOrder | undefined> {
  const { plan, document } = search;
  if (document.order !== 'rarest_words') return plan.order;
  const page = new CountingPage(uncounted(plan.compiled.terms), document.scan_limit);
  const isExhausted = await walkAll(request, search, plan, page);
  return isExhausted ? orderByRarity(plan.compiled, page.progress.counts) : undefined;
}

/** Returns the progress before the first match is counted. */
function uncounted(terms: readonly Term[]): CountingProgress {
  return { position: undefined, counts: noCounts(terms.length) };
}

async function joinedPlaceOf(
  request: Request,
  search: PlannedSearch,
  id: string,
  { searched, record }: Found,
): Promise<Placed> {
  const { plan, document } = search;
  const nothing = { ...uncounted(plan.compiled.rankedTerms), byDistance: [] };
  const page = new JoinedPage(nothing, document.scan_limit);
  if (!(await walkAll(request, search, plan, page))) return NO_PLACE;
  const joined = joinedMatches(page.ranks, document.join);
  const index = joined.findIndex((each) => each.id === id);
  if (index === -1) return NO_PLACE;
  const order = joinedOrder(plan, page.progress.counts);
  const match = showMatch(searched.scope, id, record, { ...plan, order }, joined[index]);
  return { place: index + 1, match };
}

async function bestPlaceOf(
  request: Request,
  search: PlannedSearch,
  id: string,
  { searched, record }: Found,
): Promise<Placed> {
  const { plan, document } = search;
  const nothing = uncounted(plan.compiled.terms);
  const page = new WeighingPage({ ...nothing, entries: document.scan_limit });
  if (!(await walkAll(request, search, plan, page))) return NO_PLACE;
  const best = await bestOf(request, search, page);
  const index = best.findIndex((each) => each.id === id);
  const match = best[index];
  if (match === undefined) return NO_PLACE;
  const known = shownBest(plan.compiled, page.counts, match);
  const shown = { ...plan, order: shownOrder(search, page.counts) };
  return { place: index + 1, match: showMatch(searched.scope, id, record, shown, known) };
}

/** Walks from the start of the search; returns whether all entries were examined. */
function walkAll(
  request: Request,
  { scopes }: PlannedSearch,
  plan: SearchPlan,
  page: OpenPage,
): Promise<boolean> {
  const streams = scopes.map((each) => new ScopeStream(plan, each, undefined));
  return walk(request, streams, page, plan.order.isBackward);
}

/** Counts until its bound of entries. */
class PlacePage implements OpenPage {
  readonly #rank: Rank;
  readonly #isBackward: boolean;
  #before = 0;
  entriesLeft: number;

  /** Takes the rank of the record: its key, or 0 in an order of ids. */
  constructor(rank: Rank, isBackward: boolean, entries: number) {
    this.#rank = rank;
    this.#isBackward = isBackward;
    this.entriesLeft = entries;
  }

  /** The place of the record, from 1, if all entries were examined. */
  get place(): number {
    return this.#before + 1;
  }

  /** Counts the next step. */
  add({ id, entries, found }: Step): boolean {
    if (found !== undefined && this.#isBefore(id, found.key)) this.#before += 1;
    this.entriesLeft -= entries;
    return this.entriesLeft === 0;
  }

  #isBefore(id: string, key: number | undefined): boolean {
    return key !== undefined && comesBefore({ key, id }, this.#rank, this.#isBackward);
  }
}
