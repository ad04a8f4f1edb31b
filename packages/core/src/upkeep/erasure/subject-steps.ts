/** The steps that remove a subject itself: its credentials, accounts and webhooks. */
import {
  findCredential,
  putCredentialState,
  type StoredCredential,
  updateCredential,
  credentials,
} from '../../domains/tenancy/credential/credential-store.js';
import { putErasedSubject } from '../../domains/tenancy/admission/erased-subject-store.js';
import {
  findAccount,
  accountEmails,
  accountNames,
  signInLinks,
} from '../../domains/people/account/account-store.js';
import { findLockout, saveLockout, lockouts } from '../../domains/people/lockout/lockout-store.js';
import { signInSessions } from '../../domains/people/session/session-store.js';
import {
  INSTALLATION,
  partsOfKey,
  trailingDigest,
  trailingUuid,
  uuidAt,
} from '../../storage/store/key.js';
import { findWebhook } from '../../domains/webhooks/webhook-store.js';
import { collectFormerNames, collectNames, replaceNames } from './audit-steps.js';
import { endSlice, type Slice, type Step, type VisitedEntry } from './slice.js';
import { families, type FamilyName } from '../families/families.js';

const UUID_BYTES = 16;

/** The subject of the erasure. */
function subjectOf({ erasure: { target } }: Slice): string {
  return target?.kind === 'subject' ? target.subject_id : '';
}

/**
 * Ends the credentials of the subject, and gives them the pseudonym for its name, as it does where
 * others may act for the subject.
 */
const endCredentials: Step = (slice, from) => {
  const { tenantId, pseudonym, requestedBy } = slice.erasure;
  return slice.walk({ family: 'credentials', tenant: tenantId }, from, ({ key, value }) => {
    const found = credentials.open(key, value);
    if (pseudonym === null) return;
    if (found.spec.subject_id !== subjectOf(slice)) {
      const after = withoutSelected(found, subjectOf(slice), pseudonym);
      if (after === found) return;
      putCredentialState(slice.tx, after);
      slice.count('credentials', key);
      return;
    }
    const revision = found.revision + 1;
    const ended = {
      ...found,
      revision,
      spec: { ...found.spec, subject_id: pseudonym },
      revokedAtMillis: found.revokedAtMillis ?? slice.nowMs,
      ...{ previous: null, federation: null, program: null },
    };
    const event = { actor_id: requestedBy, at_millis: slice.nowMs, action: 'revoked' as const };
    updateCredential(slice.tx, ended, { revision, ...event });
    slice.count('credentials', key);
  });
};

/** Returns a credential of others without the subject among those that it may act for. */
function withoutSelected(
  credential: StoredCredential,
  subjectId: string,
  pseudonym: string,
): StoredCredential {
  const { act_for: selector } = credential.spec;
  if (selector?.mode !== 'only' || !selector.ids.includes(subjectId)) return credential;
  const ids = selector.ids.map((id) => (id === subjectId ? pseudonym : id));
  return { ...credential, spec: { ...credential.spec, act_for: { mode: 'only', ids } } };
}

/** Refuses the id from now on, also where an older state of the store was put back. */
const refuseId: Step = (slice) => {
  const { tenantId } = slice.erasure;
  putErasedSubject(slice.tx, { tenantId, subjectId: subjectOf(slice) }, slice.newKey);
  return undefined;
};

/** Whether a credential was the subject's. */
function isErasedCredential({ tx, erasure }: Slice, id: string | null): boolean {
  if (id === null) return false;
  return findCredential(tx, erasure.tenantId, id)?.spec.subject_id === erasure.pseudonym;
}

/** Whether an account acted with a credential of the subject. */
function isErasedAccount(slice: Slice, id: string): boolean {
  const account = findAccount(slice.tx, slice.erasure.tenantId, id);
  return account !== undefined && isErasedCredential(slice, account.credentialId);
}

/** Removes the entries of a family that belong to an erased account. */
function removeOfAccounts(
  family: FamilyName,
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
function removeByAccount(family: FamilyName): Step {
  const { shape } = families[family];
  return removeOfAccounts(family, ({ key }) => String(partsOfKey(shape, key)[0]));
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

/** Removes the deliveries of webhooks of the subject, then the webhooks. */
function removeOfWebhooks(family: FamilyName, idBehind: number): Step {
  return (slice, from) => {
    const { tx, erasure } = slice;
    return slice.walk({ family, tenant: erasure.tenantId }, from, (entry) => {
      const id = uuidAt(entry.key, entry.key.length - idBehind);
      const webhook = findWebhook(tx, erasure.tenantId, id);
      if (webhook !== undefined && isErasedCredential(slice, webhook.credentialId)) {
        slice.remove(family, entry);
      }
    });
  };
}

/** Removes what is stored under the id of the subject. */
function removeOfSubject(family: FamilyName): Step {
  return (slice, from) => {
    const part = { family, tenant: slice.erasure.tenantId, prefix: [subjectOf(slice)] };
    return slice.walk(part, from, (entry) => {
      slice.remove(family, entry);
    });
  };
}

/** Removes the receipts of the subject in scopes that others share. */
const removeReceipts: Step = (slice, from) => {
  const { tenantId } = slice.erasure;
  const family = 'memoryReceipts';
  let again: Uint8Array | undefined;
  const next = slice.walk({ family: 'namespaces', tenant: tenantId }, from, ({ key }) => {
    if (again !== undefined) return;
    if (!slice.hasRoom) {
      again = key;
      return;
    }
    const prefix = [trailingDigest(key), subjectOf(slice)];
    const rest = slice.walk({ family, tenant: tenantId, prefix }, undefined, (entry) => {
      slice.remove(family, entry);
    });
    if (rest !== undefined) again = key;
  });
  return again ?? next;
};

/** The steps before the private scopes are removed, and those after it. */
export const subjectSteps: { readonly before: readonly Step[]; readonly after: readonly Step[] } = {
  before: [
    refuseId,
    endCredentials,
    collectNames(isErasedAccount),
    collectFormerNames(isErasedAccount),
  ],
  after: [
    removeReceipts,
    ...(['programCredentials', 'memoryBatchReceipts', 'memoryConsumers'] as const).map(
      removeOfSubject,
    ),
    ...accountSteps,
    removeOfWebhooks('webhookDeliveries', UUID_BYTES),
    removeOfWebhooks('webhookDeadLetters', 2 * UUID_BYTES),
    removeOfWebhooks('webhooks', UUID_BYTES),
    removeOfSubject('subjects'),
    // Events that still wait are stored before the next slice.
    endSlice,
    replaceNames,
  ],
};
