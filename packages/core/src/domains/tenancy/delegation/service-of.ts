/** Finds the service behind what a credential does (docs/contract/review.md#rev-7). */
import type { ReadTx } from '../../../storage/store/store.js';
import { findCredential } from '../credential/credential-store.js';

/**
 * Returns the subject of a credential whose holder may choose for whom it acts. Null for one
 * that an issuer proves: it vouches for each person, and no party holds a secret.
 */
export function serviceOf(tx: ReadTx, tenantId: string, credentialId: string): string | null {
  const credential = findCredential(tx, tenantId, credentialId);
  return credential === undefined || credential.federation !== null
    ? null
    : credential.spec.subject_id;
}
