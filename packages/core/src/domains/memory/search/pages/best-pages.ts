/**
 * The pages of the order `best_words`. Matches are counted first. If one page counts all of them,
 * it puts the best ones in order; otherwise all are examined again.
 */
import type { StoredRecord } from '../../record/record-layout.js';
import type { FoundTerm, SearchPage } from '../documents/schema.js';
import { ScopeStream } from '../examination/scope-stream.js';
import { showMatches, type KnownMatch } from '../examination/show-matches.js';
import {
  type BestMatch,
  inBestOrder,
  TermWeights,
  type WeighedMatch,
} from '../matching/best-words.js';
import { bitAt, indexesOf } from '../matching/bits.js';
import { type CompiledSearch, foldedTexts } from '../matching/compiled-search.js';
import { Passages } from '../matching/passages.js';
import type { TermCounts } from '../matching/rarity.js';
import type { CompiledOrder } from '../matching/search-order.js';
import type { RankedMatch } from '../matching/top-matches.js';
import { bestCursor, type BestPlace, bestPlaceIn } from './best-cursor.js';
import { walk } from './search-page.js';
import { withLentPlaces } from './lent-places.js';
import { listOfSearch, type PlannedSearch, type Request } from './search-pages.js';
import { WeighingPage } from './weighing-page.js';

/** Records that are read again at once, to be weighed. */
const READ_AT_ONCE = 50;

/** Where a page ends, and the entries that it examined. */
interface Examined {
  readonly place: BestPlace;
  readonly entries: number;
}

/** Returns a page of the best matches; empty while entries are left to examine. */
export async function pageByBestWords(
  request: Request,
  search: PlannedSearch,
): Promise<SearchPage> {
  const { document, plan, scopes } = search;
  const { limit, cursor } = document;
  const list = listOfSearch(search, []);
  const terms = plan.compiled.terms.length;
  const start = bestPlaceIn(list, cursor, { terms, scopes: scopes.length });
  const { place, entries: scanned_records } = await examine(request, search, start);
  const { counts } = place;
  if (place.step !== 'ordered') {
    const page = { matches: [], next_cursor: bestCursor(list, place), scanned_records };
    return start.step === 'counting' ? page : { ...page, counted_matches: counts.matches };
  }
  const { left } = place;
  const order = shownOrder(search, counts);
  const known = left.slice(0, limit).map((match) => shownBest(plan.compiled, counts, match));
  const shown = { ...search, plan: { ...plan, order } };
  const { matches, count } = await showMatches(request, shown, known);
  const next: BestPlace = { ...place, left: left.slice(count) };
  return {
    matches,
    next_cursor: next.left.length === 0 ? null : bestCursor(list, next),
    scanned_records,
    counted_matches: counts.matches,
  };
}

/** Returns the order as it shows matches, once they are counted. */
export function shownOrder(
  { document: { passage_bytes: bytesMax }, plan: { compiled } }: PlannedSearch,
  counts: TermCounts,
): CompiledOrder {
  const weights = new TermWeights(counts);
  const { ranking, timesFound, timesWithin } = compiled;
  const order = {
    isBackward: true,
    termsOf: (record: StoredRecord) => termsShown(compiled, counts, timesFound(record)),
  };
  if (bytesMax === null || ranking === undefined) return order;
  const weightOf = (times: Uint8Array) => weights.of(times, 0, bytesMax);
  return { ...order, passages: new Passages({ bytesMax, ranking, timesWithin, weightOf }) };
}

/** Returns the best of the matches that a page examined, if these were all. */
export function bestOf(
  request: Request,
  search: PlannedSearch,
  page: WeighingPage,
): Promise<readonly BestMatch[]> {
  const weights = new TermWeights(page.counts);
  const first = page.first(weights).flatMap(({ weighed }) => weighed ?? []);
  return withLentPlaces(request, search, inBestOrder(first, weights));
}

/** Returns how one of the best matches is shown. */
export function shownBest(
  compiled: CompiledSearch,
  counts: TermCounts,
  { id, scope, revision, nearby, times, inPlaceOf }: BestMatch,
): KnownMatch {
  const terms = times === undefined ? undefined : termsShown(compiled, counts, times);
  const among = times?.reduce((bits, often, at) => (often === 0 ? bits : bits | bitAt(at)), 0);
  const lent: FoundTerm[] = [];
  for (const at of indexesOf(nearby)) {
    const term = termAt(compiled, counts, at);
    if (term !== undefined) lent.push(term);
  }
  return { id, scope, key: undefined, revision, terms, among, nearby: lent, inPlaceOf };
}

function examine(request: Request, search: PlannedSearch, place: BestPlace): Promise<Examined> {
  switch (place.step) {
    case 'counting':
      return countMatches(request, search, place);
    case 'weighing':
      return weighMatches(request, search, place);
    case 'ordered':
      return Promise.resolve({ place, entries: 0 });
  }
}

async function countMatches(
  request: Request,
  search: PlannedSearch,
  start: BestPlace & { readonly step: 'counting' },
): Promise<Examined> {
  const page = new WeighingPage({ ...start, entries: search.document.scan_limit });
  const isExhausted = await walkOn(request, search, page);
  const { counts, examined: entries, position } = page;
  if (!isExhausted) return { place: { step: 'counting', position, counts }, entries };
  if (start.position === undefined) {
    const left = await bestOf(request, search, page);
    return { place: { step: 'ordered', counts, left }, entries };
  }
  return { place: { step: 'weighing', position: undefined, counts, first: [] }, entries };
}

async function weighMatches(
  request: Request,
  search: PlannedSearch,
  { position, counts, first: before }: BestPlace & { readonly step: 'weighing' },
): Promise<Examined> {
  const page = new WeighingPage({ position, counts, entries: search.document.scan_limit });
  const isExhausted = await walkOn(request, search, page);
  const { examined: entries } = page;
  const weights = new TermWeights(counts);
  const first = page.first(weights, before);
  if (!isExhausted) {
    return { place: { step: 'weighing', position: page.position, counts, first }, entries };
  }
  const weighed = await weighedAgain(request, search, first, weights);
  const left = await withLentPlaces(request, search, inBestOrder(weighed, weights));
  return { place: { step: 'ordered', counts, left }, entries };
}

function walkOn(
  request: Request,
  { plan, scopes }: PlannedSearch,
  page: WeighingPage,
): Promise<boolean> {
  const streams = scopes.map((each) => new ScopeStream(plan, each, page.position));
  return walk(request, streams, page, plan.order.isBackward);
}

/** Reads matches that earlier calls weighed; one that counts otherwise now is left out. */
async function weighedAgain(
  request: Request,
  { plan: { compiled }, scopes }: PlannedSearch,
  first: readonly RankedMatch[],
  weights: TermWeights,
): Promise<WeighedMatch[]> {
  const all: WeighedMatch[] = [];
  for (let from = 0; from < first.length; from += READ_AT_ONCE) {
    await request.turn();
    const slice = first.slice(from, from + READ_AT_ONCE);
    const read = await request.runtime.store.read((tx) =>
      slice.flatMap(({ id, scope, key }): WeighedMatch[] => {
        const record = scopes[scope]?.source.find(tx, id)?.value;
        if (record === undefined || record.payload === null || !compiled.matches(record)) return [];
        const { revision, payload } = record;
        const textBytes = foldedTexts(payload).reduce(
          (sum, text) => sum + Buffer.byteLength(text),
          0,
        );
        const times = compiled.timesFound(record);
        if (0 - weights.of(times, 0, textBytes) !== key) return [];
        const eventMillis = payload.event_time_millis;
        const isEnded = payload.superseded_by !== undefined;
        return [{ id, scope, revision, times, textBytes, eventMillis, isEnded }];
      }),
    );
    all.push(...read);
  }
  return all;
}

function termsShown(compiled: CompiledSearch, counts: TermCounts, times: Uint8Array): FoundTerm[] {
  const shown: FoundTerm[] = [];
  for (let at = 0; at < times.length; at += 1) {
    const often = times[at] ?? 0;
    const term = often === 0 ? undefined : termAt(compiled, counts, at);
    if (term !== undefined) shown.push({ text: term.text, records: term.records, times: often });
  }
  return shown;
}

function termAt(
  { rankedTerms }: CompiledSearch,
  { records }: TermCounts,
  at: number,
): FoundTerm | undefined {
  const term = rankedTerms[at];
  return term && { text: term.said, records: Math.max(1, records[at] ?? 0) };
}
