/** Authenticates a token of a credential that an issuer proved. */
import { type CredentialPrincipal, HeldProof } from '../../../kernel/access/principal.js';
import type { ReadTx } from '../../../storage/store/store.js';
import { actingAsItself } from '../credential/authenticate-credential.js';
import { type HeldDelegation, servicePrincipal } from '../delegation/authenticate-delegated.js';
import { findLimits } from '../delegation/subject-store.js';
import { federatedPin } from './federated-pin.js';
import { actsForItself, mayBeActedFor } from './federated-subject-policy.js';
import { findFederated } from './find-federated.js';

/**
 * Returns the principal of a token, or `undefined` once the credential, its issuer, the trust in
 * it as it was, the subject or the token ended.
 */
export function authenticateFederated(
  tx: ReadTx,
  held: HeldDelegation,
  nowMs: number,
): CredentialPrincipal | undefined {
  const { tenantId, credentialId, subjectId, expiresAtMillis } = held;
  if (expiresAtMillis !== null && nowMs >= expiresAtMillis) return undefined;
  const found = findFederated(tx, credentialId, nowMs);
  if (found?.credential.tenantId !== tenantId) return undefined;
  const { credential, issuer, rule } = found;
  const limits = findLimits(tx, tenantId, subjectId);
  if (federatedPin(credential, issuer, limits) !== held.pin) return undefined;
  if (!mayBeActedFor(found, subjectId, limits)) return undefined;
  if (!actsForItself(rule)) return servicePrincipal(credential, held, limits);
  return actingAsItself(credential, new HeldProof(held));
}
