/** Shows matches whose order is known: reads their records again, in slices. */
import { PAGE_BYTES_MAX } from '../../../../contract/limits.js';
import type { InputSchemas } from '../../../../kernel/input/input-rules.js';
import type { CallRequest } from '../../../../kernel/operation/requests.js';
import type { ReadTx } from '../../../../storage/store/store.js';
import { withLostSources } from '../../record/lost-sources.js';
import type { SearchMatch } from '../documents/schema.js';
import type { SearchedScope, SearchPlan } from './search-plan.js';
import { NO_WORK } from './search-work.js';
import { ShownTexts } from './shown-texts.js';
import { showMatch, type ShownBeside } from './shown-match.js';

/** A match that was examined. */
export interface KnownMatch extends ShownBeside {
  readonly id: string;
  /** Index of its scope. */
  readonly scope: number;
  /** Its key in the order when it was examined. */
  readonly key: number | undefined;
  readonly wordsKey?: number | undefined;
  /** The revision that was examined, in orders that go by it. */
  readonly revision?: number;
}

/** What is shown, and how many matches were looked at. */
export interface ShownMatches {
  readonly matches: SearchMatch[];
  readonly count: number;
}

/** The search that found them. */
interface Found {
  readonly plan: SearchPlan;
  readonly scopes: readonly SearchedScope[];
}

/** Shows matches in their order, until the page is full. */
export async function showMatches(
  request: Pick<CallRequest<InputSchemas>, 'runtime' | 'turn'>,
  search: Found,
  known: readonly KnownMatch[],
): Promise<ShownMatches> {
  const { store } = request.runtime;
  const matches: SearchMatch[] = [];
  let bytes = 0;
  let count = 0;
  while (count < known.length) {
    await request.turn();
    const room = PAGE_BYTES_MAX - bytes;
    const rest = known.slice(count);
    const isFirst = matches.length === 0;
    const slice = await store.read((tx) => readSlice(tx, search, rest, { room, isFirst }));
    slice.texts.learn();
    search.plan.work.add(slice.work);
    matches.push(...slice.matches);
    bytes += slice.bytes;
    count += slice.count;
    if (slice.isFull) break;
  }
  return { matches, count };
}

function readSlice(
  tx: ReadTx,
  { plan, scopes }: Found,
  known: readonly KnownMatch[],
  page: { readonly room: number; readonly isFirst: boolean },
) {
  const startedMs = plan.work.now();
  const matches: SearchMatch[] = [];
  let bytes = 0;
  let count = 0;
  const read = { records: 0, recordBytes: 0 };
  const texts = new ShownTexts(plan.order);
  const sliceOf = (isFull: boolean) => {
    const recordsMs = plan.work.now() - startedMs;
    const work = { ...NO_WORK, ...read, matches: matches.length, recordsMs };
    return { matches, bytes, count, isFull, texts, work };
  };
  for (const match of known) {
    if (read.recordBytes >= plan.sliceRecordBytes) break;
    const searched = scopes[match.scope];
    const found = searched?.source.find(tx, match.id);
    if (found !== undefined) {
      read.records += 1;
      read.recordBytes += found.bytes;
    }
    if (searched !== undefined && found !== undefined && isStill(match, found.value, plan)) {
      const size = found.bytes + plan.frameBytes;
      const isFull = bytes + size > page.room && !(page.isFirst && matches.length === 0);
      if (isFull) return sliceOf(true);
      const record = withLostSources(tx, searched.namespace, match.id, found.value);
      const text = texts.of(searched.source, match.id, record);
      matches.push(showMatch(searched.scope, match.id, record, plan, match, text));
      bytes += size;
    }
    count += 1;
  }
  return sliceOf(false);
}

/** Returns whether a record still matches, and is what it was when it was examined. */
function isStill(
  { key, wordsKey, revision, terms, inPlaceOf }: KnownMatch,
  record: Parameters<SearchPlan['compiled']['matches']>[0],
  { compiled, order, successors }: SearchPlan,
): boolean {
  if (revision !== undefined && record.revision !== revision) return false;
  if (inPlaceOf !== undefined) return successors?.holding.matches(record) === true;
  // What this call found in the entry of a revision needs no second look at its texts.
  const isKnown = revision !== undefined && terms !== undefined && compiled.isDecidedByEntries;
  return (
    (isKnown || compiled.matches(record)) &&
    (key === undefined || order.keyOf?.(record) === key) &&
    (wordsKey === undefined || order.wordsKeyOf?.(record) === wordsKey)
  );
}
