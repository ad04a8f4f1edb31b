/** What an erasure does to credentials, subjects and issuers. */
import { putErasedSubject } from '../../../kernel/erased/erased-subject-store.js';
import { walkOver } from '../../../kernel/services/sweeper.js';
import { trailingUuid } from '../../../storage/store/key.js';
import type { DomainErasure } from '../../../upkeep/erasure/domain-erasure.js';
import type { Slice, Step } from '../../../upkeep/erasure/slice.js';
import { subjectOf } from '../../../upkeep/erasure/subject-steps.js';
import { credentialSlices } from '../credential/credential-slices.js';
import {
  credentialIndexKeys,
  credentials,
  findCredential,
  putCredentialState,
  type StoredCredential,
  updateCredential,
} from '../credential/credential-store.js';
import { findTenant, removeTenant } from '../tenant/tenant-store.js';

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

/** The part of tenancy in erasures. */
export const tenancyErasure: DomainErasure = {
  subject: { proofs: [refuseId, endCredentials] },
  provesCallers: ['credentials'],
  goingWith: { credentials: (_tenantId, { key }) => credentialIndexKeys(trailingUuid(key)) },
  removeTenant: (tx, tenantId) => {
    if (findTenant(tx, tenantId) !== undefined) removeTenant(tx, tenantId);
  },
  subjectsIn: async function* (store, tenantId) {
    for await (const slice of credentialSlices(walkOver(store), tenantId)) {
      for (const { spec } of slice) yield spec.subject_id;
    }
  },
};

/** Whether a credential was the subject's. */
export function isErasedCredential({ tx, erasure }: Slice, id: string | null): boolean {
  if (id === null) return false;
  return findCredential(tx, erasure.tenantId, id)?.spec.subject_id === erasure.pseudonym;
}
