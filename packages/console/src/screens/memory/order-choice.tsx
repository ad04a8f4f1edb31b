/** The order of a list of records, among those that the search can have. */
import type { SearchOrder } from '@agentkeep/client';
import type { JSX } from 'preact';
import { changeQuery } from '../../routing/router.js';
import { texts } from '../../texts/en/english.js';
import { type MemorySearch, possibleOrders } from './search-query.js';

const words = texts.filters;

/** Shows the order, which changes at once. */
export function OrderChoice({ search }: { readonly search: MemorySearch }): JSX.Element {
  return (
    <label class="order small">
      {words.order}
      <select
        value={search.order}
        onChange={(event) => {
          const order = event.currentTarget.value as SearchOrder;
          changeQuery({ order: order === 'newest' ? undefined : order });
        }}
      >
        {possibleOrders(search).map((order) => (
          <option key={order} value={order}>
            {words.orders[order]}
          </option>
        ))}
      </select>
    </label>
  );
}
