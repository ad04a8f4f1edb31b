/** Merges lists that each begin with their newest record into one. */
import type { SearchMatch } from '@agentkeep/client';

/** Most lists that are asked for their first record at the same time. */
const AT_ONCE = 4;

/** A match, and the list that it came from. */
export interface MergedMatch<L> {
  readonly list: L;
  readonly match: SearchMatch;
}

interface Head<L> extends MergedMatch<L> {
  readonly rest: AsyncGenerator<SearchMatch, void>;
}

/**
 * Yields each record once, the newest of all lists first. A list is asked for its next page only
 * when that can have the next record.
 */
export async function* mergedNewest<L>(
  lists: readonly L[],
  open: (list: L) => AsyncGenerator<SearchMatch, void>,
): AsyncGenerator<MergedMatch<L>, void> {
  const heads: Head<L>[] = [];
  for (let from = 0; from < lists.length; from += AT_ONCE) {
    const begun = lists.slice(from, from + AT_ONCE).map((list) => headOf(list, open(list)));
    heads.push(...(await Promise.all(begun)).filter((head) => head !== undefined));
  }
  const seen = new Set<string>();
  while (heads.length > 0) {
    const at = newestAt(heads);
    const head = heads[at];
    if (head === undefined) return;
    const { list, match, rest } = head;
    const { record_id: id } = match.record;
    // A record can be in several lists, for instance by its author and by its text.
    if (!seen.has(id)) yield { list, match };
    seen.add(id);
    const next = await headOf(list, rest);
    heads.splice(at, 1, ...(next === undefined ? [] : [next]));
  }
}

async function headOf<L>(
  list: L,
  rest: AsyncGenerator<SearchMatch, void>,
): Promise<Head<L> | undefined> {
  const { done, value } = await rest.next();
  return done === true ? undefined : { list, match: value, rest };
}

function newestAt(heads: readonly MergedMatch<unknown>[]): number {
  let newest = 0;
  for (const [at, { match }] of heads.entries()) {
    const best = heads[newest]?.match.record.created_at_millis ?? 0;
    if (match.record.created_at_millis > best) newest = at;
  }
  return newest;
}
