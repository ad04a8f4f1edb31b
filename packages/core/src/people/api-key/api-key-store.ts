/**
 * API keys in the store: each key under its account, and found by its digest.
 * @module
 */
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import { ownBytes } from '../../storage/store/bytes.js';
import { INSTALLATION, keyspace } from '../../storage/store/keyspace.js';
import type { ReadTx, WriteTx } from '../../storage/store/store.js';
import { Subspace } from '../../storage/store/subspace.js';
import { fieldsLayout } from '../../storage/store/value.js';

/** Whose keys are meant: the tenant part of store keys, then the account. */
export interface ApiKeyOwner {
  /** Tenant id, or `INSTALLATION`. */
  readonly authority: string;
  readonly accountId: string;
}

/** An API key as it is stored; the key itself is not. */
export interface StoredApiKey extends ApiKeyOwner {
  /** UUID of version 7. */
  readonly id: string;
  readonly name: string;
  /** The first characters of the key. */
  readonly prefix: string;
  /** SHA-256 of the key. */
  readonly digest: Uint8Array;
  readonly createdAtMillis: number;
  /** Null is never. */
  readonly expiresAtMillis: number | null;
  /** Behind by up to a minute; null while it was never used. */
  readonly lastUsedMillis: number | null;
}

type KeyFields = [
  authority: string,
  accountId: string,
  id: string,
  name: string,
  prefix: string,
  digest: string,
  createdAtMillis: number,
  expiresAtMillis: number | null,
  lastUsedMillis: number | null,
];

type Place = [authority: string, accountId: string, id: string];

const keys = new Subspace(
  keyspace.apiKeys,
  fieldsLayout<StoredApiKey, KeyFields>(
    1,
    (it) => [
      it.authority,
      it.accountId,
      it.id,
      it.name,
      it.prefix,
      Buffer.from(it.digest).toString('base64url'),
      it.createdAtMillis,
      it.expiresAtMillis,
      it.lastUsedMillis,
    ],
    ([authority, accountId, id, name, prefix, digest, created, expires, lastUsed]) => ({
      authority,
      accountId,
      id,
      name,
      prefix,
      digest: ownBytes(Buffer.from(digest, 'base64url')),
      createdAtMillis: created,
      expiresAtMillis: expires,
      lastUsedMillis: lastUsed,
    }),
  ),
  { remember: true },
);

const places = new Subspace(
  keyspace.apiKeyDigests,
  fieldsLayout<Place, Place>(
    1,
    (place) => place,
    (place) => place,
  ),
  { remember: true },
);

/** The subspaces of API keys, by their names in the key space. */
export const apiKeySubspaces = { apiKeys: keys, apiKeyDigests: places };

/** Stores a new key. */
export function insertApiKey(tx: WriteTx, key: StoredApiKey): void {
  putKey(tx, key);
  places.put(tx, [key.authority, key.accountId, key.id], INSTALLATION, key.digest);
}

/**
 * The key with this digest, of whatever authority; only for checking a proof.
 * @throws {AgentkeepError} `storage_inconsistency` when the digest leads to no key.
 */
export function locateApiKey(tx: ReadTx, digest: Uint8Array): StoredApiKey | undefined {
  const place = places.get(tx, INSTALLATION, digest);
  if (place === undefined) return undefined;
  const key = keys.get(tx, ...place);
  if (key === undefined) throw new AgentkeepError('storage_inconsistency');
  return key;
}

/** The key of an account with this id, if there is one. */
export function findApiKey(tx: ReadTx, owner: ApiKeyOwner, id: string): StoredApiKey | undefined {
  return keys.get(tx, owner.authority, owner.accountId, id);
}

/** Keys of an account, newest first, from behind an id. */
export function listApiKeysOf(
  tx: ReadTx,
  owner: ApiKeyOwner,
  page: { after: string | undefined; limit: number },
): StoredApiKey[] {
  const { authority, accountId } = owner;
  const { after, limit } = page;
  const end = after === undefined ? {} : { before: [accountId, after] as [string, string] };
  const span = { prefix: [accountId] as [string], reverse: true, limit, ...end };
  return [...keys.rows(tx, authority, span)].map(({ value }) => value);
}

/** Removes a key; whoever shows it from then on is nobody. */
export function removeApiKey(tx: WriteTx, key: StoredApiKey): void {
  tx.remove(places.keyOf(INSTALLATION, key.digest));
  tx.remove(keys.keyOf(key.authority, key.accountId, key.id));
}

/** Removes every key of an account and gives their ids, oldest first. */
export function removeApiKeysOf(tx: WriteTx, owner: ApiKeyOwner): string[] {
  // All are read before the first goes, since a range is not to change under its reader.
  const rows = [...keys.rows(tx, owner.authority, { prefix: [owner.accountId] })];
  for (const { value } of rows) removeApiKey(tx, value);
  return rows.map(({ value }) => value.id);
}

/** Stores when a key was used; nothing where it has gone meanwhile. */
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
  keys.put(tx, key, key.authority, key.accountId, key.id);
}
