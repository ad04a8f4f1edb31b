/**
 * Ends all API keys of an account. The commit that decides ends them: it marks the account and
 * removes the first ones. Later transactions remove the others, which are refused until then.
 */
import { tenantIdOf } from '../../access/authority.js';
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import type { AuditDraft } from '../../runtime/audit/audit.js';
import { eventActorOf, requestMembers } from '../../runtime/audit/call-events.js';
import type { InputSchemas } from '../../runtime/input/input-rules.js';
import type { AccountRequest } from '../../runtime/operation/requests.js';
import { json, number, text } from '../../storage/store/fields.js';
import { INSTALLATION, keyspace } from '../../storage/store/keyspace.js';
import { fieldsLayout, type ValueOf } from '../../storage/store/layouts.js';
import type { ReadTx, WriteTx } from '../../storage/store/store.js';
import { Subspace } from '../../storage/store/subspace.js';
import { findAccount, putEndedKeys } from '../account/account-store.js';
import type { StoredAccount } from '../account/stored-account.js';
import { apiKeyRevoked } from './api-key-event.js';
import {
  type ApiKeyOwner,
  type ApiKeyPage,
  findApiKey,
  listApiKeysOf,
  newestApiKeyOf,
  removeOldestApiKeys,
  type StoredApiKey,
} from './api-key-store.js';

/** Keys that one transaction removes: as many as an account can have today. */
export const KEYS_REMOVED_AT_ONCE = 64;

const endingLayout = fieldsLayout(1, {
  authority: text,
  accountId: text,
  /** The newest key that ended. */
  lastKeyId: text,
  endedAtMillis: number,
  /** The members of the events that all keys share. */
  userId: json<AuditDraft['userId']>(),
  username: json<AuditDraft['username']>(),
  ipAddress: json<AuditDraft['ipAddress']>(),
  userAgent: json<AuditDraft['userAgent']>(),
  metadata: json<AuditDraft['metadata']>(),
});

/** An account of which ended keys are still stored. */
export type KeyEnding = ValueOf<typeof endingLayout>;

/** Who ended the keys, and when. */
export type EndedBy = Omit<KeyEnding, 'authority' | 'accountId' | 'lastKeyId'>;

/** Returns the members of later events that say who made a call. */
export function endedByCaller({ principal, origin, nowMs }: AccountRequest<InputSchemas>): EndedBy {
  const { userId, username } = eventActorOf(principal);
  const { ipAddress, userAgent } = origin;
  const metadata = { principal: principal.kind, ...requestMembers(origin) };
  return { endedAtMillis: nowMs, userId, username, ipAddress, userAgent, metadata };
}

/** As {@link endedByCaller}, for an administrator's call; the events also name the account. */
export function endedByOther(
  request: AccountRequest<InputSchemas>,
  { id }: Pick<StoredAccount, 'id'>,
): EndedBy {
  const by = endedByCaller(request);
  return { ...by, metadata: { user_id: id, ...by.metadata } };
}

const endings = new Subspace(keyspace.apiKeyEndings, endingLayout);

/** The subspace of endings, by its name in the key space. */
export const keyEndingSubspaces = { apiKeyEndings: endings };

/** Returns whether a key ended together with all keys of its account. */
export function hasEnded(
  { endedKeyId }: Pick<StoredAccount, 'endedKeyId'>,
  { id }: Pick<StoredApiKey, 'id'>,
): boolean {
  return endedKeyId !== null && id <= endedKeyId;
}

/**
 * Ends all keys of a stored account. Returns the ids of the keys that it removed, for their events.
 * The events of the others are recorded as they are removed.
 */
export function endApiKeys(
  tx: WriteTx,
  { authority, id: accountId }: StoredAccount,
  by: EndedBy,
): string[] {
  const owner = { authority, accountId };
  const lastKeyId = newestApiKeyOf(tx, owner)?.id;
  if (lastKeyId === undefined) return [];
  const removed = removeOldestApiKeys(tx, owner, { max: KEYS_REMOVED_AT_ONCE, lastKeyId });
  if (removed.includes(lastKeyId)) return removed;
  const account = findAccount(tx, authority, accountId);
  if (account === undefined) throw new AgentkeepError('storage_inconsistency');
  putEndedKeys(tx, account, lastKeyId);
  endings.put(tx, { ...owner, ...by, lastKeyId }, INSTALLATION, authority, accountId);
  return removed;
}

/** Returns the key of an account with this id, or `undefined`; also for one that has ended. */
export function findKeptApiKey(
  tx: ReadTx,
  owner: ApiKeyOwner,
  id: string,
): StoredApiKey | undefined {
  const key = findApiKey(tx, owner, id);
  const account = key && findAccount(tx, owner.authority, owner.accountId);
  return key === undefined || account === undefined || hasEnded(account, key) ? undefined : key;
}

/** Returns keys of an account, newest first, without those that have ended and are still stored. */
export function listKeptApiKeys(
  tx: ReadTx,
  owner: ApiKeyOwner,
  page: Omit<ApiKeyPage, 'endedKeyId'>,
): StoredApiKey[] {
  const endedKeyId = findAccount(tx, owner.authority, owner.accountId)?.endedKeyId;
  return listApiKeysOf(tx, owner, { ...page, endedKeyId });
}

/** Returns the ending after an account, or the first one. */
export function nextEnding(tx: ReadTx, after: ApiKeyOwner | undefined): KeyEnding | undefined {
  const start: [string, string] | undefined = after && [after.authority, after.accountId];
  return endings.values(tx, INSTALLATION, { prefix: [], after: start, limit: 1 })[0];
}

/**
 * Removes the next keys of an ending, and the ending after its last key. Returns their events,
 * which take their ids from `eventIds`, one for each of {@link KEYS_REMOVED_AT_ONCE} keys.
 */
export function removeEnded(
  tx: WriteTx,
  owner: ApiKeyOwner,
  { eventIds, nowMs }: { readonly eventIds: readonly string[]; readonly nowMs: number },
): AuditDraft[] {
  const { authority, accountId } = owner;
  // Another server may have removed the last keys.
  const ending = endings.get(tx, INSTALLATION, authority, accountId);
  if (ending === undefined) return [];
  const max = KEYS_REMOVED_AT_ONCE;
  const ids = removeOldestApiKeys(tx, owner, { max, lastKeyId: ending.lastKeyId });
  if (ids.length < max) tx.remove(endings.keyOf(INSTALLATION, authority, accountId));
  return ids.map((id, index) => eventOf(ending, id, { id: eventIds[index] ?? '', nowMs }));
}

function eventOf(
  ending: KeyEnding,
  keyId: string,
  { id, nowMs }: { readonly id: string; readonly nowMs: number },
): AuditDraft {
  const { type, action, resource, result, metadata } = apiKeyRevoked(keyId);
  const { userId, username, ipAddress, userAgent } = ending;
  return {
    id,
    type,
    action,
    resource,
    result,
    atMillis: ending.endedAtMillis,
    noticedAtMillis: nowMs,
    tenantId: tenantIdOf(ending.authority),
    userId,
    username,
    ipAddress,
    userAgent,
    metadata: { ...metadata, ...ending.metadata },
  };
}
