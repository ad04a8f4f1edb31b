/** The operations that create, list and delete the own API keys. */
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { exampleId } from '../../../contract/example-values.js';
import { API_KEYS_EXPIRED_MAX, API_KEYS_LIVE_MAX } from '../../../contract/limits.js';
import { timeText } from '../../../contract/schema/time.js';
import { isUuid, uuid } from '../../../contract/schema/uuid.js';
import type { EventSubject } from '../../../kernel/audit/call-events.js';
import { refusal } from '../../../kernel/input/input.js';
import { ListParameters, succeeded, SuccessResponse } from '../../../kernel/lists/account-lists.js';
import {
  decodeCursor,
  encodeCursor,
  type ListIdentity,
  staleCursor,
} from '../../../kernel/lists/cursor.js';
import { directoryPage } from '../../../kernel/lists/page.js';
import { aliasOf, defineAccountOperation } from '../../../kernel/operation/define-operation.js';
import { accountChecks } from '../../../kernel/operation/orders-of-checks.js';
import { useLog } from '../../../kernel/services/use-log.js';
import type { ReadTx, WriteTx } from '../../../storage/store/store.js';
import { endOfApiKey, isActive } from './api-key-policy.js';
import {
  API_KEYS_MAX,
  type ApiKeyOwner,
  findApiKey,
  insertApiKey,
  listApiKeysOf,
  removeApiKey,
  type StoredApiKey,
} from './api-key-store.js';
import { digestOfApiKey, newApiKey, prefixOfApiKey } from './api-key-text.js';
import { type ApiKey, ApiKeyList, CreateApiKeyRequest, CreatedApiKey } from './schema.js';

/** Not idempotent: a repeat makes another key. A key makes no keys, or it could outlive itself. */
export const createApiKey = defineAccountOperation({
  name: 'createApiKey',
  summary: 'Make an API key of the calling account; the key is delivered once.',
  example: { document: { name: 'nightly report', expires_in_days: 90 } },
  command: {
    name: 'keys create',
    examples: ['agentkeep keys create --name nightly --expires-in-days 90 --write-secret ./key'],
  },
  tag: 'Keys',
  input: { document: CreateApiKeyRequest },
  output: CreatedApiKey,
  requires: { party: 'login' },
  checks: accountChecks,
  errors: ['api_key_limit'],
  handler: (request) => {
    const { runtime, input, authority, nowMs } = request;
    const { name, expires_in_days: days } = input.document;
    const text = newApiKey(runtime.entropy);
    const made = {
      authority,
      id: runtime.newId(),
      name,
      prefix: prefixOfApiKey(text),
      digest: digestOfApiKey(text),
      createdAtMillis: nowMs,
      expiresAtMillis: endOfApiKey(nowMs, days),
      lastUsedMillis: null,
    };
    return runtime.store.transact((tx) => {
      const { id: accountId } = request.confirm(tx);
      makeRoomForApiKey(tx, { authority, accountId }, nowMs);
      insertApiKey(tx, { ...made, accountId });
      request.record(tx, apiKeyCreated(made.id));
      return {
        key: text,
        id: made.id,
        prefix: made.prefix,
        name,
        created_at: timeText(nowMs),
        expires_at: made.expiresAtMillis === null ? null : timeText(made.expiresAtMillis),
      };
    });
  },
});

/** The same under a second path. */
export const createApiKeyAlias = aliasOf(createApiKey, 'createApiKeyAlias');

/** Newest first; keys that have ended are included. */
export const listApiKeys = defineAccountOperation({
  name: 'listApiKeys',
  summary: 'List the API keys of the calling account, newest first.',
  example: { parameters: {} },
  command: {
    name: 'keys list',
    columns: ['id', 'name', 'prefix', 'is_active', 'expires_at', 'last_used'],
  },
  tag: 'Keys',
  effect: 'read',
  input: { parameters: ListParameters },
  output: ApiKeyList,
  requires: { party: 'account' },
  checks: accountChecks,
  isHeavy: true,
  handler: async ({ runtime, principal, authority, input, nowMs }) => {
    const owner = { authority, accountId: principal.id };
    // Shows the use by this very call. A full disk must not fail a list.
    await useLog
      .of(runtime)
      .flush()
      .catch(() => undefined);
    return runtime.store.read((tx) => apiKeyPage(tx, owner, input.parameters, nowMs));
  },
});

/** The same under a second path. */
export const listApiKeysAlias = aliasOf(listApiKeys, 'listApiKeysAlias');

/** A key of another account gives the same error as an unknown one. A key may delete itself. */
export const deleteApiKey = defineAccountOperation({
  name: 'deleteApiKey',
  summary: 'Delete an API key of the calling account; it is refused from then on.',
  example: { id: exampleId },
  command: { name: 'keys revoke' },
  tag: 'Keys',
  input: { id: uuid() },
  whenFull: 'served',
  output: SuccessResponse,
  requires: { party: 'account' },
  checks: accountChecks,
  errors: ['target_not_found'],
  handler: (request) =>
    request.runtime.store.transact((tx) => {
      const { authority, input } = request;
      const { id: accountId } = request.confirm(tx);
      const key = findApiKey(tx, { authority, accountId }, input.id);
      if (key === undefined) throw new AgentkeepError('target_not_found');
      removeApiKey(tx, key);
      request.record(tx, apiKeyRevoked(key.id));
      return succeeded('The API key is deleted and refused from now on.');
    }),
});

/** The same under a second path. */
export const deleteApiKeyAlias = aliasOf(deleteApiKey, 'deleteApiKeyAlias');

/**
 * Makes room for another key: removes the oldest of too many expired ones.
 *
 * @throws {AgentkeepError} `api_key_limit` when the account has as many live keys as it may.
 */
function makeRoomForApiKey(tx: WriteTx, owner: ApiKeyOwner, nowMs: number): void {
  const keys = listApiKeysOf(tx, owner, { after: undefined, limit: API_KEYS_MAX });
  const expired = keys.filter((key) => !isActive(key, nowMs));
  if (keys.length - expired.length >= API_KEYS_LIVE_MAX) throw new AgentkeepError('api_key_limit');
  for (const key of expired.slice(API_KEYS_EXPIRED_MAX)) removeApiKey(tx, key);
}

/** Returns the event of a created key. */
function apiKeyCreated(keyId: string): EventSubject {
  return apiKeyEvent('api_key_created', keyId);
}

/** Returns the event of a key that was deleted, alone or with its account. */
export function apiKeyRevoked(keyId: string): EventSubject {
  return apiKeyEvent('api_key_revoked', keyId);
}

/** Returns the event of a key of another account that an administrator revoked. */
export function apiKeyRevokedOf(keyId: string, accountId: string): EventSubject {
  const event = apiKeyRevoked(keyId);
  return { ...event, metadata: { ...event.metadata, user_id: accountId } };
}

function apiKeyEvent(type: 'api_key_created' | 'api_key_revoked', keyId: string): EventSubject {
  return {
    type,
    action: type,
    resource: `api_key:${keyId}`,
    result: 'success',
    metadata: { key_id: keyId },
  };
}

/** The requested page. */
interface ApiKeyPageQuery {
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
