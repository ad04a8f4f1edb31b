/**
 * The list of an account's API keys, stated once for the two operations that give it.
 * @module
 */
import { ListParameters } from '../../runtime/lists/account-lists.js';
import { type CursorBinding, decodeCursor, encodeCursor } from '../../runtime/lists/cursor.js';
import { directoryPage } from '../../runtime/lists/page.js';
import { refusal } from '../../runtime/input.js';
import type { AuthenticatedOperation } from '../../runtime/operation.js';
import { timeText } from '../../contract/schema/time.js';
import { isUuid } from '../../contract/schema/uuid.js';
import { isActive } from './api-key-policy.js';
import { listApiKeysOf, type StoredApiKey } from './api-key-store.js';
import { type ApiKey, ApiKeyList } from './schema.js';

/** What the list of API keys reads. */
export interface ApiKeyListingInput {
  readonly parameters: typeof ListParameters;
}

type Listing = AuthenticatedOperation<ApiKeyListingInput, typeof ApiKeyList>;

/** The keys of the caller and of nobody else, newest first; those that have ended included. */
export const apiKeyListing: Omit<Listing, 'name' | 'access'> = {
  summary: 'List the API keys of the calling account, newest first.',
  tag: 'Keys',
  surface: 'account',
  effect: 'read',
  input: { parameters: ListParameters },
  output: ApiKeyList,
  requires: { party: 'account' },
  checks: ['authority', 'parameters', 'rules'],
  errors: ['invalid_request', 'forbidden'],
  handler: async ({ runtime, principal, authority, input, nowMs }) => {
    const owner = { authority, accountId: principal.id };
    const { limit, cursor } = input.parameters;
    const binding: CursorBinding = { list: `api-keys ${principal.id}`, tenantId: authority };
    const after = cursor === undefined ? undefined : keyIdOf(decodeCursor(binding, cursor));
    // So that the use by which the list is asked for is in it; a full disk is no reason to fail.
    await runtime.uses.flush().catch(() => undefined);
    const { items, next_cursor } = await runtime.store.read((tx) =>
      directoryPage(
        listApiKeysOf(tx, owner, { after, limit: limit + 1 }),
        limit,
        (key) => showApiKey(key, nowMs),
        (last) => encodeCursor(binding, last.id),
      ),
    );
    return { keys: items, next_cursor };
  },
};

function showApiKey(key: StoredApiKey, nowMs: number): ApiKey {
  return {
    id: key.id,
    name: key.name,
    prefix: key.prefix,
    created_at: timeText(key.createdAtMillis),
    expires_at: timeTextOrNull(key.expiresAtMillis),
    last_used: timeTextOrNull(key.lastUsedMillis),
    is_active: isActive(key, nowMs),
  };
}

function timeTextOrNull(millis: number | null): string | null {
  return millis === null ? null : timeText(millis);
}

/** The id that a cursor stands for; anybody can make the digest of one. */
function keyIdOf(position: string): string {
  if (!isUuid(position)) throw refusal(['cursor']);
  return position;
}
