/** What erasures do with accounts, their sessions and keys, and the locks of their names. */
import { INSTALLATION, partsOfKey, trailingUuid } from '../../../storage/store/key.js';
import { collectFormerNames } from '../../../upkeep/erasure/audit-steps.js';
import type { DomainErasure } from '../../../upkeep/erasure/domain-erasure.js';
import type { Slice, Step, VisitedEntry } from '../../../upkeep/erasure/slice.js';
import { tenantOf } from '../../../upkeep/erasure/tenant-steps.js';
import { isErasedCredential } from '../../tenancy/erasure/tenancy-erasure.js';
import {
  accountEmails,
  accountIndexKeys,
  accountNames,
  accounts,
  findAccount,
  signInLinks,
} from '../account/account-store.js';
import { apiKeyDigests, apiKeys } from '../api-key/api-key-store.js';
import { findLockout, lockouts, saveLockout } from '../lockout/lockout-store.js';
import { signInSessions } from '../session/session-store.js';

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

/** Removes the entries of a family that belong to an erased account. */
function removeOfAccounts(
  family: string,
  accountOf: (entry: VisitedEntry) => string,
  isOfInstallation = false,
): Step {
  return (slice, from) => {
    const tenant = isOfInstallation ? INSTALLATION : slice.erasure.tenantId;
    return slice.walk({ family, tenant }, from, (entry) => {
      if (isErasedAccount(slice, accountOf(entry))) slice.remove(family, entry);
    });
  };
}

/** Removes the entries of a family whose keys begin with the id of an erased account. */
function removeByAccount(family: string): Step {
  return (slice, from) => {
    const { shape } = slice.plan.families.get(family);
    const remove = removeOfAccounts(family, ({ key }) => String(partsOfKey(shape, key)[0]));
    return remove(slice, from);
  };
}

/** Ends the locks of the names of erased accounts. */
const removeLockouts: Step = (slice, from) => {
  const { tx, erasure } = slice;
  const part = { family: 'accountNames', tenant: erasure.tenantId } as const;
  return slice.walk(part, from, ({ key, value }) => {
    const id = accountNames.open(key, value);
    const account = isErasedAccount(slice, id) ? findAccount(tx, erasure.tenantId, id) : undefined;
    if (account === undefined) return;
    const name = { authority: erasure.tenantId, username: account.username };
    const before = findLockout(tx, name);
    if (before === undefined) return;
    saveLockout(tx, name, { before, after: undefined });
    slice.count('lockouts', lockouts.keyOf(name.authority, name.username));
  });
};

const accountSteps: readonly Step[] = [
  removeLockouts,
  removeOfAccounts('accountEmails', ({ key, value }) => accountEmails.open(key, value)),
  removeOfAccounts('signInLinks', ({ key, value }) => signInLinks.open(key, value)),
  removeOfAccounts('signInSessions', ({ key, value }) => {
    return signInSessions.open(key, value)[0];
  }),
  removeOfAccounts('administrators', ({ key }) => trailingUuid(key)),
  ...(['superAdmins', 'connections', 'apiKeys', 'sessions'] as const).map(removeByAccount),
  ...(['accountPasswords', 'accountEvents'] as const).map(removeByAccount),
  removeByAccount('accounts'),
];

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
  subject: { names: [collectNames, collectFormerNames(isErasedAccount)], accounts: accountSteps },
  tenant: [removeTenantLockouts],
  provesCallers: ['accounts', 'apiKeys'],
  goingWith: {
    accounts: (_tenantId, { key, value }) => accountIndexKeys(accounts.open(key, value)),
    apiKeys: (_tenantId, { key, value }) => [
      ['apiKeyDigests', apiKeyDigests.keyOf(INSTALLATION, apiKeys.open(key, value).digest)],
    ],
  },
};
