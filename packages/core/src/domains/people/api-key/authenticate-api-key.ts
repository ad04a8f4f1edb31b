/** Authenticates an account by an API key, or by a held proof of one. */
import type { AccountPrincipal, HeldSubject } from '../../../kernel/access/principal.js';
import { accountPrincipal, boundCredential, isBindingLive } from '../account/account-principal.js';
import { findAccount } from '../account/account-store.js';
import { isActiveAccount } from '../account/stored-account.js';
import type { ProofCheck } from '../../../kernel/services/proof-check.js';
import { type UsedEntry, useToStore } from '../../../kernel/services/use-log.js';
import type { ReadTx } from '../../../storage/store/store.js';
import { isActive } from './api-key-policy.js';
import { findApiKey, locateApiKey, storeApiKeyUse, type StoredApiKey } from './api-key-store.js';
import { digestOfApiKey, isApiKey } from './api-key-text.js';

/** Returns the account of a key. A mistyped key is refused without a look-up. */
export function authenticateApiKey(
  tx: ReadTx,
  text: string,
  check: ProofCheck,
): AccountPrincipal | undefined {
  const key = keyOfText(tx, text);
  return key && ownerOf(tx, key, check);
}

/** Returns the account of a key that was proved before, if the key is still valid. */
export function authenticateHeldApiKey(
  tx: ReadTx,
  held: HeldSubject & { readonly kind: 'api_key' },
  check: ProofCheck,
): AccountPrincipal | undefined {
  const key = findApiKey(tx, held, held.keyId);
  return key && ownerOf(tx, key, check);
}

/** Returns the id of a stored key by its text, also of a dead key. Only for the audit log. */
export function apiKeyIdOf(tx: ReadTx, text: string): string | undefined {
  return keyOfText(tx, text)?.id;
}

function keyOfText(tx: ReadTx, text: string): StoredApiKey | undefined {
  return isApiKey(text) ? locateApiKey(tx, digestOfApiKey(text)) : undefined;
}

/** A key pins nothing: the current state of its owner and of the owner's credential counts. */
function ownerOf(
  tx: ReadTx,
  key: StoredApiKey,
  { nowMs, uses, effects }: ProofCheck,
): AccountPrincipal | undefined {
  const { authority, accountId, id } = key;
  const account = findAccount(tx, authority, accountId);
  if (account === undefined || !isActiveAccount(account)) return undefined;
  if (!isActive(key, nowMs)) return undefined;
  const credential = boundCredential(tx, account);
  if (!isBindingLive(account, credential, nowMs)) return undefined;
  effects?.push(() => {
    uses.note(useOf(key), nowMs);
  });
  return accountPrincipal({
    account,
    credential,
    presence: { kind: 'api_key', keyId: id },
    held: { kind: 'api_key', authority, accountId, keyId: id },
  });
}

function useOf(key: StoredApiKey): UsedEntry {
  return {
    name: `api key ${key.id}`,
    storedMs: key.lastUsedMillis,
    store: (tx, usedMs) => {
      const current = findApiKey(tx, key, key.id);
      if (current === undefined) return;
      const knownMs = key.lastUsedMillis;
      const lastUsedMillis = useToStore(current.lastUsedMillis, { knownMs, usedMs });
      if (lastUsedMillis !== undefined) storeApiKeyUse(tx, key, key.id, lastUsedMillis);
    },
  };
}
