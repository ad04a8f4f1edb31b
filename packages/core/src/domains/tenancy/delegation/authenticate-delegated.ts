/** Authenticates a credential that acts for another subject. */
import {
  type CredentialPrincipal,
  HeldProof,
  type HeldSubject,
} from '../../../kernel/access/principal.js';
import type { ReadTx } from '../../../storage/store/store.js';
import { isLive } from '../credential/credential-policy.js';
import { findCredential, type StoredCredential } from '../credential/credential-store.js';
import { delegatedSpec, mayActFor, type SubjectLimits } from './delegated-authority-policy.js';
import { subjectPin } from './hold-delegation.js';
import { findLimits, isBlockedSubject, type KnownLimits } from './subject-store.js';

/** The held subject of a delegation. */
export type HeldDelegation = HeldSubject & { readonly kind: 'delegated' };

/**
 * Returns the subject of a delegation with the rights that the service has for it now, or
 * `undefined` once the service, its secret, its authority over the subject, the subject or the
 * token ended.
 */
export function authenticateDelegated(
  tx: ReadTx,
  held: HeldDelegation,
  nowMs: number,
): CredentialPrincipal | undefined {
  const { tenantId, credentialId, subjectId, expiresAtMillis } = held;
  if (expiresAtMillis !== null && nowMs >= expiresAtMillis) return undefined;
  const service = findCredential(tx, tenantId, credentialId);
  if (service === undefined || !isLive(service, nowMs)) return undefined;
  const limits = findLimits(tx, tenantId, subjectId);
  if (!isPinned(service, held.pin, { limits, nowMs })) return undefined;
  if (!mayActFor(service, subjectId, limits)) return undefined;
  return servicePrincipal(tx, service, held, limits);
}

/**
 * Returns the principal of a service that acts for a subject, or `undefined` while the service is
 * blocked itself.
 */
export function servicePrincipal(
  tx: ReadTx,
  service: StoredCredential,
  held: HeldDelegation,
  limits: SubjectLimits | undefined,
): CredentialPrincipal | undefined {
  const { tenantId, credentialId, subjectId } = held;
  if (isBlockedSubject(tx, tenantId, service.spec.subject_id)) return undefined;
  return {
    kind: 'credential',
    authority: { kind: 'tenant', tenant_id: tenantId },
    id: credentialId,
    credential: {
      ...service,
      spec: delegatedSpec(service, subjectId, limits),
      actingService: { subject_id: service.spec.subject_id },
    },
    global: null,
    role: null,
    held: new HeldProof(held),
  };
}

function isPinned(
  { verifier, previous }: StoredCredential,
  pin: string,
  { limits, nowMs }: { readonly limits: KnownLimits | undefined; readonly nowMs: number },
): boolean {
  if (subjectPin(verifier, limits) === pin) return true;
  if (previous === null || nowMs >= previous.endsAtMillis) return false;
  return subjectPin(previous.verifier, limits) === pin;
}
