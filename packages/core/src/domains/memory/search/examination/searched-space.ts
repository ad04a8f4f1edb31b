/** The embedding space that a search is about. */
import { AgentkeepError } from '../../../../contract/errors/agentkeep-error.js';
import type { Store } from '../../../../storage/store/store.js';
import { DEFAULT_SPACE } from '../../documents/default-space.js';
import { findSpaces } from '../../spaces/space-store.js';
import type { SearchRequest } from '../documents/schema.js';
import type { SearchedScope } from './search-plan.js';

/**
 * Returns the space that a search names, or else the default of its scopes.
 *
 * @throws {AgentkeepError} `invalid_request` where that depends on the scope.
 */
export async function spaceOf(
  { space, vector, filter }: Pick<SearchRequest, 'space' | 'vector' | 'filter'>,
  scopes: readonly SearchedScope[],
  store: Pick<Store, 'read'>,
): Promise<string> {
  if (space !== null) return space;
  if (vector === null && (filter?.embedded ?? null) === null) return DEFAULT_SPACE;
  const defaults = await store.read((tx) =>
    scopes.map(({ namespace }) => findSpaces(tx, namespace).defaultName),
  );
  const [first = DEFAULT_SPACE] = defaults;
  const other = defaults.findIndex((name) => name !== first);
  if (other === -1) return first;
  const expected = `a space, since scopes[0] and scopes[${other}] have different defaults`;
  throw new AgentkeepError('invalid_request', { members: [{ path: 'space', expected }] });
}
