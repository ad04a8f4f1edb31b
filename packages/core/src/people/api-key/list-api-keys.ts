/** `listApiKeys`: a page of the API keys of the calling account. */
import { timeText } from '../../contract/schema/time.js';
import { isUuid } from '../../contract/schema/uuid.js';
import { aliasOf, defineAccountOperation } from '../../runtime/define-operation.js';
import { refusal } from '../../runtime/input.js';
import { ListParameters } from '../../runtime/lists/account-lists.js';
import {
  type ListIdentity,
  decodeCursor,
  encodeCursor,
  staleCursor,
} from '../../runtime/lists/cursor.js';
import { directoryPage } from '../../runtime/lists/page.js';
import { isActive } from './api-key-policy.js';
import { listApiKeysOf, type StoredApiKey } from './api-key-store.js';
import { type ApiKey, ApiKeyList } from './schema.js';

/** Newest first; keys that have ended are included. */
export const listApiKeys = defineAccountOperation({
  name: 'listApiKeys',
  summary: 'List the API keys of the calling account, newest first.',
  tag: 'Keys',
  effect: 'read',
  input: { parameters: ListParameters },
  output: ApiKeyList,
  requires: { party: 'account' },
  checks: ['authority', 'parameters', 'rules'],
  errors: ['invalid_request', 'forbidden'],
  handler: async ({ runtime, principal, authority, input, nowMs }) => {
    const owner = { authority, accountId: principal.id };
    const { limit, cursor } = input.parameters;
    const identity: ListIdentity = { list: `api-keys ${principal.id}`, tenantId: authority };
    const after = cursor === undefined ? undefined : keyIdOf(decodeCursor(identity, cursor));
    // Shows the use by this very call. A full disk must not fail a list.
    await runtime.uses.flush().catch(() => undefined);
    const { items, next_cursor } = await runtime.store.read((tx) =>
      directoryPage(
        listApiKeysOf(tx, owner, { after, limit: limit + 1 }),
        limit,
        (key) => showApiKey(key, nowMs),
        (last) => encodeCursor(identity, last.id),
      ),
    );
    return { keys: items, next_cursor };
  },
});

/** The same under a second path. */
export const listApiKeysAlias = aliasOf(listApiKeys, 'listApiKeysAlias');

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

/** Returns the id in a cursor. Anyone can forge the digest of a cursor, so its form is checked. */
function keyIdOf(position: string): string {
  if (!isUuid(position)) throw refusal([staleCursor]);
  return position;
}
