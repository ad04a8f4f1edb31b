/** Bounds the API keys of an account: those that are live, and those that have expired. */
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { API_KEYS_EXPIRED_MAX, API_KEYS_LIVE_MAX } from '../../../contract/limits.js';
import type { WriteTx } from '../../../storage/store/store.js';
import { isActive } from './api-key-policy.js';
import { API_KEYS_MAX, type ApiKeyOwner, listApiKeysOf, removeApiKey } from './api-key-store.js';

/**
 * Makes room for another key: removes the oldest of too many expired ones.
 *
 * @throws {AgentkeepError} `api_key_limit` when the account has as many live keys as it may.
 */
export function makeRoomForApiKey(tx: WriteTx, owner: ApiKeyOwner, nowMs: number): void {
  const keys = listApiKeysOf(tx, owner, { after: undefined, limit: API_KEYS_MAX });
  const expired = keys.filter((key) => !isActive(key, nowMs));
  if (keys.length - expired.length >= API_KEYS_LIVE_MAX) throw new AgentkeepError('api_key_limit');
  for (const key of expired.slice(API_KEYS_EXPIRED_MAX)) removeApiKey(tx, key);
}
