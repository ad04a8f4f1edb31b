/** Which credentials an erased subject had. */
import type { Slice } from '../../../upkeep/erasure/slice.js';
import { findCredential } from '../credential/credential-store.js';

/** Whether a credential was the subject's. */
export function isErasedCredential({ tx, erasure }: Slice, id: string | null): boolean {
  if (id === null) return false;
  return findCredential(tx, erasure.tenantId, id)?.spec.subject_id === erasure.pseudonym;
}
