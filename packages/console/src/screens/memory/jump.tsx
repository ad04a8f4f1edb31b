/** Leads to a date in a list of records, and to its other end. */
import type { SearchOrder } from '@agentkeep/client';
import type { JSX } from 'preact';
import { showQuery } from '../../routing/router.js';
import { texts } from '../../texts/en/english.js';
import type { FilterName } from './search-filter.js';
import { type MemorySearch } from './search-query.js';

const words = texts.filters;

/** The orders by time: the one from the other end, and the filter that begins the list at a day. */
const timely: Readonly<Partial<Record<SearchOrder, readonly [SearchOrder, FilterName]>>> = {
  newest: ['oldest', 'created_before'],
  oldest: ['newest', 'created_from'],
  newest_event: ['oldest_event', 'until'],
  oldest_event: ['newest_event', 'since'],
  newest_change: ['oldest_change', 'changed_before'],
  oldest_change: ['newest_change', 'changed_from'],
};

/** Shows both, in an order by time. "Back" leads to where the list was. */
export function Jump({ search }: { readonly search: MemorySearch }): JSX.Element | null {
  const [reverse, filter] = timely[search.order] ?? [];
  if (reverse === undefined || filter === undefined) return null;
  return (
    <>
      <label class="order jump small">
        {words.jump}
        <input
          type="date"
          onChange={(event) => {
            const instant = edgeOf(event.currentTarget.value, reverse.startsWith('oldest'));
            if (instant !== undefined) showQuery({ [filter]: instant });
          }}
        />
      </label>
      <button
        type="button"
        class="plain small"
        onClick={() => showQuery({ order: reverse === 'newest' ? undefined : reverse })}
      >
        {words.otherEnd}
      </button>
    </>
  );
}

/** Returns where a local day begins or ends, as an address has it; `undefined` for no day. */
function edgeOf(day: string, isEnd: boolean): string | undefined {
  const [year = NaN, month = NaN, date = NaN] = day.split('-').map(Number);
  const edge = new Date(year, month - 1, date + (isEnd ? 1 : 0));
  // A year that is still being typed is no day to go to.
  return Number.isFinite(edge.getTime()) && year > 1900 ? edge.toISOString() : undefined;
}
