/** Credentials of tenants in the store. */
import { eachAs } from '../../../kernel/counts/counts.js';
import { thumbprintIn } from '../../../kernel/access/key-thumbprint.js';
import type { ActingCredential } from '../../../kernel/access/principal.js';
import { addedLast, fieldsLayout, json, jsonLayout } from '../../../storage/store/fields.js';
import { defineFamily, oneFor } from '../../../storage/store/family.js';
import { INSTALLATION } from '../../../storage/store/key.js';
import type { HistoryPart } from '../../../storage/store/history.js';
import type { ReadTx, WriteTx } from '../../../storage/store/store.js';
import { type CredentialPage, CredentialRows, type PreviousSecret } from './credential-rows.js';
import type { ConnectedProgram } from './connected-program.js';
import { requireAdmitted } from '../../../kernel/erased/erased-subject-store.js';
import type { FederationRule } from './federation-rule.js';
import type { Credential, CredentialEvent, CredentialSpec } from './schema.js';

/** The current state of a credential. */
export interface StoredCredential extends Omit<ActingCredential, 'actingService'> {
  readonly spec: CredentialSpec;
  /** Null unless the last rotation left an overlap. */
  readonly previous: PreviousSecret | null;
  /** Null unless an issuer proves it. */
  readonly federation: FederationRule | null;
  /** Null unless an account gave it to a program by OAuth. */
  readonly program: ConnectedProgram | null;
}

const stateLayout = fieldsLayout<StoredCredential>(1, {
  tenantId: json(),
  id: json(),
  revision: json(),
  verifier: json(),
  revokedAtMillis: json(),
  spec: json(),
  previous: addedLast(),
  federation: addedLast(),
  program: addedLast(),
});

/** Current state of a credential, by id. */
export const credentials = defineFamily({
  name: 'credentials',
  number: 3,
  key: ['uuid'],
  layout: stateLayout,
  sealedBy: 'tenant',
  owner: 'credential',
  exported: { not: 'authority' },
  erased: 'removed',
  counts: eachAs('credentials'),
  remember: true,
  committedFor: ({ tenantId }) => tenantId,
  traces: { subjectOf: ({ spec }: StoredCredential) => spec.subject_id },
});

/** History of a credential, by id and revision. */
export const credentialEvents = defineFamily({
  name: 'credentialEvents',
  number: 4,
  key: ['uuid', 'integer'],
  layout: jsonLayout<CredentialEvent>(1),
  sealedBy: 'tenant',
  owner: 'credential',
  exported: { not: 'authority' },
  erased: 'removed',
  counts: null,
});

/** Installation: the tenant of a credential, by credential id. */
export const credentialLocators = defineFamily({
  name: 'credentialLocators',
  number: 2,
  key: ['uuid'],
  layout: jsonLayout<string>(1),
  sealedBy: null,
  owner: 'value',
  exported: 'derived',
  erased: 'derived',
  counts: null,
  derived: oneFor(credentials),
  remember: true,
  committedFor: (tenantId) => tenantId,
});

const rows = new CredentialRows(credentials, credentialEvents);

/** Returns the credential of a tenant with this id, or `undefined`. */
export function findCredential(
  tx: ReadTx,
  tenantId: string,
  id: string,
): StoredCredential | undefined {
  return rows.find(tx, tenantId, id);
}

/** Returns the credential with this id in any tenant. Only for checking proofs. */
export function locateCredential(tx: ReadTx, id: string): StoredCredential | undefined {
  const tenantId = credentialLocators.get(tx, INSTALLATION, id);
  return tenantId === undefined ? undefined : rows.find(tx, tenantId, id);
}

/** Returns the keys of the index that has one entry for each credential, by their names. */
export function credentialIndexKeys(id: string) {
  return [[credentialLocators.name, credentialLocators.keyOf(INSTALLATION, id)]] as const;
}

/**
 * Stores a new credential with its first event.
 *
 * @throws {AgentkeepError} `subject_erased`
 */
export function insertCredential(
  tx: WriteTx,
  credential: StoredCredential,
  event: CredentialEvent,
): void {
  requireAdmitted(tx, credential.tenantId, credential.spec.subject_id);
  credentialLocators.put(tx, credential.tenantId, INSTALLATION, credential.id);
  rows.insert(tx, credential.tenantId, credential, event);
}

/** Stores the next state of a credential with its event. */
export function updateCredential(
  tx: WriteTx,
  credential: StoredCredential,
  event: CredentialEvent,
): void {
  rows.update(tx, credential.tenantId, credential, event);
}

/**
 * Stores what is no change in the history of a credential, such as a use of its previous secret.
 */
export function putCredentialState(tx: WriteTx, credential: StoredCredential): void {
  rows.put(tx, credential.tenantId, credential);
}

/**
 * Shows a credential with its newest events, or with another part of its history.
 *
 * @throws {AgentkeepError} `storage_inconsistency` when an event is missing.
 */
export function showCredential(
  tx: ReadTx,
  credential: StoredCredential,
  part?: HistoryPart,
): Credential {
  const { tenantId, verifier, federation, program } = credential;
  const { id, ...shown } = rows.show(tx, tenantId, credential, part);
  const thumbprint = thumbprintIn(verifier);
  const key = thumbprint === undefined ? {} : { key_thumbprint: thumbprint };
  const proved = federation === null ? key : { federation };
  const connected = program === null ? {} : { program };
  return { id, tenant_id: tenantId, ...shown, ...proved, ...connected };
}

/** Returns a page of the credentials of a tenant, in ascending order of id. */
export function listCredentials(
  tx: ReadTx,
  tenantId: string,
  page: CredentialPage,
): StoredCredential[] {
  return rows.list(tx, tenantId, page);
}
