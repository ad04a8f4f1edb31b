/** Stores credentials of the installation. */
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { CONTRACT_VERSION } from '../../../contract/version.js';
import { globalCapabilities } from '../../../kernel/access/capability.js';
import type { ActingGlobalCredential } from '../../../kernel/access/principal.js';
import { eachAs } from '../../../kernel/counts/counts.js';
import { findMarker, putMarker } from '../../../kernel/installation/marker-store.js';
import { defineInstallationOperation } from '../../../kernel/operation/define-operation.js';
import { installationChecks } from '../../../kernel/operation/orders-of-checks.js';
import { defineFamily } from '../../../storage/store/family.js';
import { addedLast, fieldsLayout, json, jsonLayout } from '../../../storage/store/fields.js';
import type { HistoryPart } from '../../../storage/store/history.js';
import { INSTALLATION } from '../../../storage/store/key.js';
import type { ReadTx, WriteTx } from '../../../storage/store/store.js';
import {
  type CredentialPage,
  CredentialRows,
  type PreviousSecret,
} from '../credential/credential-rows.js';
import {
  type GlobalCredential,
  type GlobalCredentialEvent,
  GlobalCredentialResponse,
  type GlobalCredentialSpec,
} from './schema.js';

/** The current state of a credential. */
export interface StoredGlobalCredential extends ActingGlobalCredential {
  readonly spec: GlobalCredentialSpec;
  /** Null unless the last rotation left an overlap. */
  readonly previous: PreviousSecret | null;
}

const stateLayout = fieldsLayout<StoredGlobalCredential>(1, {
  id: json(),
  isMaster: json(),
  revision: json(),
  verifier: json(),
  revokedAtMillis: json(),
  spec: json(),
  previous: addedLast(),
});

/** Installation: current state of an installation credential, by id. */
export const globalCredentials = defineFamily({
  name: 'globalCredentials',
  number: 33,
  key: ['uuid'],
  layout: stateLayout,
  sealedBy: 'tenant',
  owner: 'credential',
  exported: { not: 'authority' },
  erased: 'kept',
  counts: eachAs('credentials'),
  remember: true,
  committedFor: () => INSTALLATION,
});

/** Installation: history of an installation credential, by id and revision. */
export const globalCredentialEvents = defineFamily({
  name: 'globalCredentialEvents',
  number: 34,
  key: ['uuid', 'integer'],
  layout: jsonLayout<GlobalCredentialEvent>(1),
  sealedBy: 'tenant',
  owner: 'credential',
  exported: { not: 'authority' },
  erased: 'kept',
  counts: null,
});

const rows = new CredentialRows(globalCredentials, globalCredentialEvents);

/**
 * Returns the credential of the installation with this id, or `undefined`.
 *
 * @throws {AgentkeepError} `storage_inconsistency` when the flag and the marker of the master
 * disagree, or the master lacks a capability.
 */
export function findGlobalCredential(tx: ReadTx, id: string): StoredGlobalCredential | undefined {
  const credential = rows.find(tx, INSTALLATION, id);
  if (credential !== undefined) requireAgreement(tx, credential);
  return credential;
}

/** Returns the id of the master; `undefined` until there is one. */
export function masterId(tx: ReadTx): string | undefined {
  const id = findMarker(tx, 'master');
  if (id !== undefined && typeof id !== 'string') throw new AgentkeepError('storage_inconsistency');
  return id;
}

/** Stores a new credential with its first event. The marker of the master is set too. */
export function insertGlobalCredential(
  tx: WriteTx,
  credential: StoredGlobalCredential,
  event: GlobalCredentialEvent,
): void {
  if (credential.isMaster) putMarker(tx, 'master', credential.id);
  rows.insert(tx, INSTALLATION, credential, event);
}

/** Stores the next state of a credential with its event. */
export function updateGlobalCredential(
  tx: WriteTx,
  credential: StoredGlobalCredential,
  event: GlobalCredentialEvent,
): void {
  rows.update(tx, INSTALLATION, credential, event);
}

/** Stores a time of use of the previous secret. It is no change of the credential. */
export function putGlobalCredentialUse(tx: WriteTx, credential: StoredGlobalCredential): void {
  rows.put(tx, INSTALLATION, credential);
}

/**
 * Shows a credential with its newest events, or with another part of its history.
 *
 * @throws {AgentkeepError} `storage_inconsistency` when an event is missing.
 */
export function showGlobalCredential(
  tx: ReadTx,
  credential: StoredGlobalCredential,
  part?: HistoryPart,
): GlobalCredential {
  const { id, ...shown } = rows.show(tx, INSTALLATION, credential, part);
  return { id, is_master: credential.isMaster, ...shown };
}

/**
 * Returns a page of credentials in ascending order of id.
 *
 * @throws {AgentkeepError} `storage_inconsistency` as {@link findGlobalCredential}.
 */
export function globalCredentialsAfter(tx: ReadTx, page: CredentialPage): StoredGlobalCredential[] {
  const credentials = rows.list(tx, INSTALLATION, page);
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

/** Requires no capability. */
export const globalIdentity = defineInstallationOperation({
  name: 'globalIdentity',
  summary: 'Show the credential of the installation that the caller acts with.',
  example: {},
  command: { name: 'global-credentials whoami' },
  tag: 'Administration',
  effect: 'read',
  input: {},
  output: GlobalCredentialResponse,
  requires: 'any',
  checks: installationChecks,
  handler: ({ runtime, credential }) =>
    runtime.store.read((tx) => {
      const current = findGlobalCredential(tx, credential.id);
      if (current === undefined) throw new AgentkeepError('storage_inconsistency');
      return { contract_version: CONTRACT_VERSION, credential: showGlobalCredential(tx, current) };
    }),
});
