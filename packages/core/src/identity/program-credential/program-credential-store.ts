/** The credential ids that the embedding program acts with, one per subject. */
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import { keyspace } from '../../storage/store/keyspace.js';
import { jsonLayout } from '../../storage/store/layouts.js';
import type { ReadTx, WriteTx } from '../../storage/store/store.js';
import { Subspace } from '../../storage/store/subspace.js';
import { findCredential, type StoredCredential } from '../credential/credential-store.js';

/** The id of a credential. */
const ids = new Subspace(keyspace.programCredentials, jsonLayout<string>(1));

/** The subspace of this file, by its name in the key space. */
export const programCredentialSubspaces = { programCredentials: ids };

/**
 * Returns the credential that the embedding program has for a subject, revoked or not.
 * @throws {AgentkeepError} `storage_inconsistency` if the credential is gone.
 */
export function findProgramCredential(
  tx: ReadTx,
  tenantId: string,
  subjectId: string,
): StoredCredential | undefined {
  const id = ids.get(tx, tenantId, subjectId);
  if (id === undefined) return undefined;
  const credential = findCredential(tx, tenantId, id);
  if (credential === undefined) throw new AgentkeepError('storage_inconsistency');
  return credential;
}

/** Stores a credential as the one of its subject. */
export function putProgramCredential(tx: WriteTx, { tenantId, id, spec }: StoredCredential): void {
  ids.put(tx, id, tenantId, spec.subject_id);
}
