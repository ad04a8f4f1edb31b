/** API keys in the store: each under its account, and an index by digest. */
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { API_KEYS_EXPIRED_MAX, API_KEYS_LIVE_MAX } from '../../../contract/limits.js';
import { ownBytes } from '../../../storage/store/bytes.js';
import { defineFamily, oneFor } from '../../../storage/store/family.js';
import { INSTALLATION } from '../../../storage/store/key.js';
import type { ReadTx, WriteTx } from '../../../storage/store/store.js';
import {
  coded,
  fieldsLayout,
  json,
  number,
  text,
  tupleLayout,
  type ValueOf,
} from '../../../storage/store/fields.js';

/** Keys that an account can have. */
export const API_KEYS_MAX = API_KEYS_LIVE_MAX + API_KEYS_EXPIRED_MAX;

const keyLayout = fieldsLayout(1, {
  /** Tenant id, or `INSTALLATION`. */
  authority: text,
  accountId: text,
  /** UUID of version 7. */
  id: text,
  name: text,
  /** The first characters of the key. */
  prefix: text,
  /** SHA-256 of the key, which is not stored itself. */
  digest: coded(
    (digest: Uint8Array) => Buffer.from(digest).toString('base64url'),
    (stored: string) => ownBytes(Buffer.from(stored, 'base64url')),
  ),
  createdAtMillis: number,
  /** Null for never. */
  expiresAtMillis: json<number | null>(),
  /** Up to a minute behind; null for a key that was never used. */
  lastUsedMillis: json<number | null>(),
});

/** A stored API key. */
export type StoredApiKey = ValueOf<typeof keyLayout>;

/** The account that keys belong to. */
export type ApiKeyOwner = Pick<StoredApiKey, 'authority' | 'accountId'>;

type Locator = readonly [authority: string, accountId: string, id: string];

/** API keys, by account and key id. */
export const apiKeys = defineFamily({
  name: 'apiKeys',
  number: 23,
  key: ['uuid', 'uuid'],
  layout: keyLayout,
  sealedBy: 'tenant',
  owner: 'account',
  exported: { not: 'secret' },
  erased: 'removed',
  counts: null,
  remember: true,
  committedFor: ({ authority }) => authority,
});

/** Installation: the locator of an API key, by its digest. */
export const apiKeyDigests = defineFamily({
  name: 'apiKeyDigests',
  number: 24,
  key: ['digest'],
  layout: tupleLayout<Locator>(1),
  sealedBy: null,
  owner: 'value',
  exported: 'derived',
  erased: 'derived',
  counts: null,
  derived: oneFor(apiKeys),
  remember: true,
  committedFor: ([authority]) => authority,
});

/** Stores a new key with its entry in the index. */
export function insertApiKey(tx: WriteTx, key: StoredApiKey): void {
  putKey(tx, key);
  apiKeyDigests.put(tx, [key.authority, key.accountId, key.id], INSTALLATION, key.digest);
}

/**
 * Returns the key with this digest, whatever its authority. Only for checking proofs.
 *
 * @throws {AgentkeepError} `storage_inconsistency` when the digest leads to no key.
 */
export function locateApiKey(tx: ReadTx, digest: Uint8Array): StoredApiKey | undefined {
  const locator = apiKeyDigests.get(tx, INSTALLATION, digest);
  if (locator === undefined) return undefined;
  const key = apiKeys.get(tx, ...locator);
  if (key === undefined) throw new AgentkeepError('storage_inconsistency');
  return key;
}

/** Returns the key of an account with this id, or `undefined`. */
export function findApiKey(tx: ReadTx, owner: ApiKeyOwner, id: string): StoredApiKey | undefined {
  return apiKeys.get(tx, owner.authority, owner.accountId, id);
}

/** A page of the keys of an account. */
export interface ApiKeyPage {
  /** The page has keys that are older than this one. */
  readonly after: string | undefined;
  readonly limit: number;
}

/** Returns keys of an account, newest first. */
export function listApiKeysOf(
  tx: ReadTx,
  { authority, accountId }: ApiKeyOwner,
  { after, limit }: ApiKeyPage,
): StoredApiKey[] {
  return apiKeys.values(tx, authority, {
    prefix: [accountId],
    reverse: true,
    limit,
    before: after === undefined ? undefined : [accountId, after],
  });
}

/** Returns the keys of the index that has one entry for each key, by their names. */
export function apiKeyIndexKeys({ digest }: StoredApiKey) {
  return [[apiKeyDigests.name, apiKeyDigests.keyOf(INSTALLATION, digest)]] as const;
}

/** Removes a key, which no longer authenticates. */
export function removeApiKey(tx: WriteTx, key: StoredApiKey): void {
  tx.remove(apiKeyDigests.keyOf(INSTALLATION, key.digest));
  tx.remove(apiKeys.keyOf(key.authority, key.accountId, key.id));
}

/** Removes all keys of an account. Returns their ids, oldest first. */
export function removeApiKeysOf(tx: WriteTx, { authority, accountId }: ApiKeyOwner): string[] {
  const removed = apiKeys.values(tx, authority, { prefix: [accountId], limit: API_KEYS_MAX });
  for (const key of removed) removeApiKey(tx, key);
  return removed.map(({ id }) => id);
}

/** Stores when a key was used, unless it was removed meanwhile. */
export function storeApiKeyUse(
  tx: WriteTx,
  owner: ApiKeyOwner,
  id: string,
  usedAtMillis: number,
): void {
  const key = findApiKey(tx, owner, id);
  if (key !== undefined) putKey(tx, { ...key, lastUsedMillis: usedAtMillis });
}

function putKey(tx: WriteTx, key: StoredApiKey): void {
  apiKeys.put(tx, key, key.authority, key.accountId, key.id);
}
