/** What erasures do with accounts, their sessions and keys, and the locks of their names. */
import { partsOfKey } from '../../../storage/store/key.js';
import { collectFormerNames } from '../../../upkeep/erasure/audit-steps.js';
import type { DomainErasure } from '../../../upkeep/erasure/domain-erasure.js';
import type { Slice, Step } from '../../../upkeep/erasure/slice.js';
import { tenantOf } from '../../../upkeep/erasure/tenant-steps.js';
import { isErasedCredential } from '../../tenancy/erasure/tenancy-erasure.js';
import { accountIndexKeys, accounts, findAccount } from '../account/account-store.js';
import { apiKeyIndexKeys, apiKeys } from '../api-key/api-key-store.js';
import { findLockout, lockouts, saveLockout } from '../lockout/lockout-store.js';

/** Whether an account acted with a credential of the subject. */
function isErasedAccount(slice: Slice, id: string): boolean {
  const account = findAccount(slice.tx, slice.erasure.tenantId, id);
  return account !== undefined && isErasedCredential(slice, account.credentialId);
}

/** Remembers the names of the accounts that acted for the subject, before they go. */
const collectNames: Step = (slice, from) => {
  const part = { family: 'accounts', tenant: slice.erasure.tenantId } as const;
  return slice.walk(part, from, ({ key, value }) => {
    const { id, username, email } = accounts.open(key, value);
    if (!isErasedAccount(slice, id)) return;
    slice.addName(username);
    if (typeof email === 'string') slice.addName(email);
  });
};

/** Ends the locks of the names of erased accounts. */
const removeLockouts: Step = (slice, from) => {
  const { tx, erasure } = slice;
  const part = { family: accounts.name, tenant: erasure.tenantId };
  return slice.walk(part, from, ({ key, value }) => {
    const account = accounts.open(key, value);
    if (!isErasedAccount(slice, account.id)) return;
    const name = { authority: erasure.tenantId, username: account.username };
    const before = findLockout(tx, name);
    if (before === undefined) return;
    saveLockout(tx, name, { before, after: undefined });
    slice.count('lockouts', lockouts.keyOf(name.authority, name.username));
  });
};

/** Ends the locks of the names of a tenant, which the installation keeps by their times. */
const removeTenantLockouts: Step = (slice, from) => {
  const authority = tenantOf(slice);
  return slice.walk({ family: 'lockouts', tenant: authority }, from, (entry) => {
    const name = { authority, username: String(partsOfKey(lockouts.shape, entry.key)[0]) };
    const before = findLockout(slice.tx, name);
    if (before === undefined) return;
    saveLockout(slice.tx, name, { before, after: undefined });
    slice.count('lockouts', entry.key);
  });
};

/** The part of people in erasures. */
export const peopleErasure: DomainErasure = {
  subject: {
    names: [collectNames, collectFormerNames(isErasedAccount)],
    accounts: [removeLockouts],
  },
  accounts: { family: accounts.name, isErased: isErasedAccount },
  tenant: [removeTenantLockouts],
  provesCallers: [accounts.name, apiKeys.name],
  goingWith: {
    [accounts.name]: (_tenantId, { key, value }) => accountIndexKeys(accounts.open(key, value)),
    [apiKeys.name]: (_tenantId, { key, value }) => apiKeyIndexKeys(apiKeys.open(key, value)),
  },
};
