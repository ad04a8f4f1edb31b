/**
 * Credentials in the store: current state and history apart, so that authentication reads a small
 * value however long the history grows.
 * @module
 */
import type { ActingCredential } from '../../access/principal.js';
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import { noteChange } from '../../runtime/counts/noted-changes.js';
import { INSTALLATION, keyspace } from '../../storage/store/keyspace.js';
import type { ReadTx, WriteTx } from '../../storage/store/store.js';
import { Subspace } from '../../storage/store/subspace.js';
import { fieldsLayout } from '../../storage/store/value.js';
import type { Credential, CredentialEvent, CredentialSpec } from './schema.js';

/** The current state of a credential. */
export interface StoredCredential extends ActingCredential {
  readonly spec: CredentialSpec;
}

type StateFields = [
  tenantId: string,
  id: string,
  revision: number,
  verifier: string,
  revokedAtMillis: number | null,
  spec: CredentialSpec,
];

const states = new Subspace(
  keyspace.credentials,
  fieldsLayout<StoredCredential, StateFields>(
    1,
    (it) => [it.tenantId, it.id, it.revision, it.verifier, it.revokedAtMillis, it.spec],
    ([tenantId, id, revision, verifier, revokedAtMillis, spec]) => ({
      tenantId,
      id,
      revision,
      verifier,
      revokedAtMillis,
      spec,
    }),
  ),
  { remember: true },
);

const events = new Subspace(
  keyspace.credentialEvents,
  fieldsLayout<CredentialEvent, [CredentialEvent]>(
    1,
    (event) => [event],
    ([event]) => event,
  ),
);

const locators = new Subspace(
  keyspace.credentialLocators,
  fieldsLayout<string, [tenantId: string]>(
    1,
    (tenantId) => [tenantId],
    ([tenantId]) => tenantId,
  ),
  { remember: true },
);

/** The subspaces of credentials, by their names in the key space. */
export const credentialSubspaces = {
  credentials: states,
  credentialEvents: events,
  credentialLocators: locators,
};

/** The credential of a tenant with this id, if there is one. */
export function findCredential(
  tx: ReadTx,
  tenantId: string,
  id: string,
): StoredCredential | undefined {
  return states.get(tx, tenantId, id);
}

/** The credential with this id, of whatever tenant; only for checking a proof. */
export function locateCredential(tx: ReadTx, id: string): StoredCredential | undefined {
  const tenantId = locators.get(tx, INSTALLATION, id);
  return tenantId === undefined ? undefined : states.get(tx, tenantId, id);
}

/** Stores a new credential with the event that made it. */
export function insertCredential(
  tx: WriteTx,
  credential: StoredCredential,
  event: CredentialEvent,
): void {
  locators.put(tx, credential.tenantId, INSTALLATION, credential.id);
  noteChange(tx, 'credentials', 1, updateCredential(tx, credential, event));
}

/** Stores the next state of a credential with the event that led to it; returns the state's key. */
export function updateCredential(
  tx: WriteTx,
  credential: StoredCredential,
  event: CredentialEvent,
): Uint8Array {
  const { tenantId, id } = credential;
  events.put(tx, event, tenantId, id, event.revision);
  return states.put(tx, credential, tenantId, id);
}

/**
 * A credential as it is shown, with its whole history.
 * @throws {AgentkeepError} `storage_inconsistency` when an event is missing.
 */
export function showCredential(tx: ReadTx, credential: StoredCredential): Credential {
  const { tenantId, id, spec, revision, revokedAtMillis } = credential;
  const history = [...events.rows(tx, tenantId, { prefix: [id] })].map(({ value }) => value);
  const complete = history.every((event, index) => event.revision === index + 1);
  if (!complete || history.length !== revision) throw new AgentkeepError('storage_inconsistency');
  return {
    id,
    tenant_id: tenantId,
    // A copy, because the state is remembered: who changed the answer would change the authority.
    spec: structuredClone(spec),
    revision,
    revoked_at_millis: revokedAtMillis,
    history,
  };
}

/** Credentials of a tenant in ascending order of id, from behind an id. */
export function listCredentials(
  tx: ReadTx,
  tenantId: string,
  page: { after: string | undefined; limit: number },
): StoredCredential[] {
  const { after, limit } = page;
  const start = after === undefined ? {} : { after: [after] as [string] };
  return [...states.rows(tx, tenantId, { prefix: [], limit, ...start })].map(({ value }) => value);
}
