/** Addresses of records. */
import { pathOf } from '../../routing/address.js';
import { scopeQuery, type ShownScope } from '../../scopes/scope-query.js';

/** Returns the path of a record, as it is now or as it was at the moment of a search. */
export function recordPath(
  shown: ShownScope,
  { record_id: id }: { readonly record_id: string },
  { atMillis }: { readonly atMillis?: number | undefined } = {},
): string {
  const at = atMillis === undefined ? undefined : String(atMillis);
  return pathOf('record', { ...scopeQuery(shown), id, at });
}
