/**
 * Ended records among the best matches give their places to the records that hold now
 * (docs/contract/superseding.md#sup-14).
 */
import type { ReadTx } from '../../../../storage/store/store.js';
import type { SearchedScope } from '../examination/search-plan.js';
import type { BestMatch } from '../matching/best-words.js';
import type { CompiledSearch } from '../matching/compiled-search.js';
import type { PlannedSearch, Request } from './search-pages.js';

/** Matches whose places are found at once. */
const PLACED_AT_ONCE = 50;
/** Most steps from an ended record to the one that holds now. */
const STEPS_MAX = 64;

/**
 * Returns the matches in their order, an ended one as the record that holds now, each record at its
 * first place alone. What has no such record is left out.
 */
export async function withLentPlaces(
  request: Request,
  { plan: { successors }, scopes }: PlannedSearch,
  best: readonly BestMatch[],
): Promise<readonly BestMatch[]> {
  if (successors === undefined || !best.some(({ isEnded }) => isEnded)) return best;
  const { holding } = successors;
  const ranked = new Map(best.map((match) => [placeIn(match), match]));
  const placed = new Map<string, BestMatch>();
  for (let from = 0; from < best.length; from += PLACED_AT_ONCE) {
    await request.turn();
    const slice = best.slice(from, from + PLACED_AT_ONCE);
    const found = await request.runtime.store.read((tx) =>
      slice.map((match) =>
        match.isEnded ? successorOf(tx, scopes[match.scope], match, holding) : match,
      ),
    );
    for (const match of found) {
      if (match === undefined || placed.has(placeIn(match))) continue;
      const { nearby } = ranked.get(placeIn(match)) ?? match;
      placed.set(placeIn(match), { ...match, nearby });
    }
  }
  return [...placed.values()];
}

function placeIn({ scope, id }: BestMatch): string {
  return `${String(scope)} ${id}`;
}

/** Follows an ended record to the one that holds now; nothing where that is none to show. */
function successorOf(
  tx: ReadTx,
  searched: SearchedScope | undefined,
  { id: ended, scope }: BestMatch,
  holding: CompiledSearch,
): BestMatch | undefined {
  let id = ended;
  for (let step = 0; step <= STEPS_MAX; step += 1) {
    const record = searched?.source.find(tx, id)?.value;
    const next = record?.payload?.superseded_by;
    if (record === undefined) return undefined;
    if (next === undefined) {
      const { revision } = record;
      const isHolding = id !== ended && holding.matches(record);
      return isHolding ? { id, scope, revision, nearby: 0, inPlaceOf: ended } : undefined;
    }
    id = next;
  }
  return undefined;
}
