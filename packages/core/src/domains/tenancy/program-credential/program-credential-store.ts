/** The credential ids that the embedding program acts with, one per subject. */
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { defineFamily } from '../../../storage/store/family.js';
import { jsonLayout } from '../../../storage/store/fields.js';
import type { ReadTx, WriteTx } from '../../../storage/store/store.js';
import { findCredential, type StoredCredential } from '../credential/credential-store.js';

/** Which credential an embedding program acts with for a subject, by subject. */
export const programCredentials = defineFamily({
  name: 'programCredentials',
  number: 38,
  key: ['text'],
  layout: jsonLayout<string>(1),
  sealedBy: 'tenant',
  digests: [0],
  owner: 'subject',
  exported: { not: 'authority' },
  erased: 'removed',
  counts: null,
});

/**
 * Returns the credential that the embedding program has for a subject, revoked or not.
 * @throws {AgentkeepError} `storage_inconsistency` if the credential is gone.
 */
export function findProgramCredential(
  tx: ReadTx,
  tenantId: string,
  subjectId: string,
): StoredCredential | undefined {
  const id = programCredentials.get(tx, tenantId, subjectId);
  if (id === undefined) return undefined;
  const credential = findCredential(tx, tenantId, id);
  if (credential === undefined) throw new AgentkeepError('storage_inconsistency');
  return credential;
}

/** Stores a credential as the one of its subject. */
export function putProgramCredential(tx: WriteTx, { tenantId, id, spec }: StoredCredential): void {
  programCredentials.put(tx, id, tenantId, spec.subject_id);
}
