/** A page of the API keys of an account, for their owner and for its administrators. */
import { timeText } from '../../../contract/schema/time.js';
import { isUuid } from '../../../contract/schema/uuid.js';
import { refusal } from '../../../kernel/input/input.js';
import {
  type ListIdentity,
  decodeCursor,
  encodeCursor,
  staleCursor,
} from '../../../kernel/lists/cursor.js';
import { directoryPage } from '../../../kernel/lists/page.js';
import type { ReadTx } from '../../../storage/store/store.js';
import { isActive } from './api-key-policy.js';
import { type ApiKeyOwner, listApiKeysOf, type StoredApiKey } from './api-key-store.js';
import type { ApiKey, ApiKeyList } from './schema.js';

/** The requested page. */
export interface ApiKeyPageQuery {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/**
 * Returns a page of keys, newest first.
 *
 * @throws {AgentkeepError} `invalid_request` for a cursor of another list.
 */
export function apiKeyPage(
  tx: ReadTx,
  owner: ApiKeyOwner,
  { limit, cursor }: ApiKeyPageQuery,
  nowMs: number,
): ApiKeyList {
  const { authority, accountId } = owner;
  const identity: ListIdentity = { list: `api-keys ${accountId}`, tenantId: authority };
  const after = cursor === undefined ? undefined : keyIdOf(decodeCursor(identity, cursor));
  const { items, next_cursor } = directoryPage(
    listApiKeysOf(tx, owner, { after, limit: limit + 1 }),
    limit,
    (key) => showApiKey(key, nowMs),
    (last) => encodeCursor(identity, last.id),
  );
  return { keys: items, next_cursor };
}

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
