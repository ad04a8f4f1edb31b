/**
 * Credentials of the installation in the store: current state and history apart.
 *
 * @module
 */
import { globalCapabilities } from '../../access/global-capability.js';
import type { ActingGlobalCredential } from '../../access/principal.js';
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import { findMarker, putMarker } from '../../runtime/installation/marker-store.js';
import { noteChange } from '../../runtime/counts/noted-changes.js';
import { INSTALLATION, keyspace } from '../../storage/store/keyspace.js';
import type { ReadTx, WriteTx } from '../../storage/store/store.js';
import { Subspace } from '../../storage/store/subspace.js';
import { fieldsLayout } from '../../storage/store/value.js';
import type { GlobalCredential, GlobalCredentialEvent, GlobalCredentialSpec } from './schema.js';

/** The current state of a credential. */
export interface StoredGlobalCredential extends ActingGlobalCredential {
  readonly spec: GlobalCredentialSpec;
}

type Fields = [
  id: string,
  isMaster: boolean,
  revision: number,
  verifier: string,
  revokedAtMillis: number | null,
  spec: GlobalCredentialSpec,
];

const states = new Subspace(
  keyspace.globalCredentials,
  fieldsLayout<StoredGlobalCredential, Fields>(
    1,
    (it) => [it.id, it.isMaster, it.revision, it.verifier, it.revokedAtMillis, it.spec],
    ([id, isMaster, revision, verifier, revokedAtMillis, spec]) => ({
      id,
      isMaster,
      revision,
      verifier,
      revokedAtMillis,
      spec,
    }),
  ),
  { remember: true },
);

const events = new Subspace(
  keyspace.globalCredentialEvents,
  fieldsLayout<GlobalCredentialEvent, [GlobalCredentialEvent]>(
    1,
    (event) => [event],
    ([event]) => event,
  ),
);

/** The subspaces of credentials of the installation, by their names in the key space. */
export const globalCredentialSubspaces = {
  globalCredentials: states,
  globalCredentialEvents: events,
};

/**
 * The credential of the installation with this id, if there is one.
 *
 * @throws {AgentkeepError} `storage_inconsistency` when flag and marker of the master disagree, or
 * it lacks a capability.
 */
export function findGlobalCredential(tx: ReadTx, id: string): StoredGlobalCredential | undefined {
  const credential = states.get(tx, INSTALLATION, id);
  if (credential !== undefined) requireAgreement(tx, credential);
  return credential;
}

/** The id of the master; `undefined` until one is made. */
export function masterId(tx: ReadTx): string | undefined {
  const id = findMarker(tx, 'master');
  if (id !== undefined && typeof id !== 'string') throw new AgentkeepError('storage_inconsistency');
  return id;
}

/** Stores the first state of a credential; the master's makes the installation's mark. */
export function insertGlobalCredential(
  tx: WriteTx,
  credential: StoredGlobalCredential,
  event: GlobalCredentialEvent,
): void {
  if (credential.isMaster) putMarker(tx, 'master', credential.id);
  noteChange(tx, 'credentials', 1, updateGlobalCredential(tx, credential, event));
}

/** Stores the next state of a credential with the event that led to it; gives the state's key. */
export function updateGlobalCredential(
  tx: WriteTx,
  credential: StoredGlobalCredential,
  event: GlobalCredentialEvent,
): Uint8Array {
  events.put(tx, event, INSTALLATION, credential.id, event.revision);
  return states.put(tx, credential, INSTALLATION, credential.id);
}

/**
 * A credential as it is shown, with its whole history.
 *
 * @throws {AgentkeepError} `storage_inconsistency` when an event is missing.
 */
export function showGlobalCredential(
  tx: ReadTx,
  { id, isMaster, spec, revision, revokedAtMillis }: StoredGlobalCredential,
): GlobalCredential {
  const history = [...events.rows(tx, INSTALLATION, { prefix: [id] })].map(({ value }) => value);
  const isComplete = history.every((event, index) => event.revision === index + 1);
  if (!isComplete || history.length !== revision) throw new AgentkeepError('storage_inconsistency');
  return {
    id,
    is_master: isMaster,
    // A copy, because the state is remembered: who changed the answer would change the authority.
    spec: structuredClone(spec),
    revision,
    revoked_at_millis: revokedAtMillis,
    history,
  };
}

/**
 * Credentials in ascending order of id, from behind an id.
 *
 * @throws {AgentkeepError} `storage_inconsistency` as {@link findGlobalCredential}.
 */
export function listGlobalCredentials(
  tx: ReadTx,
  page: { after: string | undefined; limit: number },
): StoredGlobalCredential[] {
  const { after, limit } = page;
  const start = after === undefined ? {} : { after: [after] as [string] };
  const rows = states.rows(tx, INSTALLATION, { prefix: [], limit, ...start });
  const credentials = [...rows].map(({ value }) => value);
  for (const credential of credentials) requireAgreement(tx, credential);
  return credentials;
}

function requireAgreement(tx: ReadTx, { id, isMaster, spec }: StoredGlobalCredential): void {
  const isMarked = masterId(tx) === id;
  const isWhole = globalCapabilities.every((capability) => spec.capabilities.includes(capability));
  if (isMarked !== isMaster || (isMaster && !isWhole)) {
    throw new AgentkeepError('storage_inconsistency');
  }
}
