/**
 * What a trusted local operator may do, and what a transport is built from. Nothing here asks for a
 * proof, so it is an entry of its own that no program exposes by accident.
 */
import { continueErasures } from './upkeep/erasure/erasure-worker.js';
import { families } from './domains.js';
import { sealedFamilies } from './keep/sealed-families.js';
import { createAdmin as makeAdmin, type NewAdmin } from './domains/people/inviting/create-admin.js';
import type { LoginAccount } from './domains/people/account/schema.js';
import {
  type NamedAccount,
  type OpeningRequest,
  openOperatorSession,
} from './domains/people/session/open-operator-session.js';
import type { IssuedCredential } from './domains/tenancy/credential/schema.js';
import {
  bootstrapMaster as makeMaster,
  recoverMaster as recover,
} from './domains/tenancy/global-credential/bootstrap-master.js';
import type { IssuedGlobalCredential } from './domains/tenancy/global-credential/schema.js';
import * as operator from './kernel/installation/operator-events.js';
import {
  type AuditVerification,
  verifyAudit as verifyChains,
} from './kernel/audit-log/verification/verify-audit.js';
import type { SecuritySettings } from './kernel/installation/security-settings.js';
import type { Agent } from './client/agent.js';
import type { AgentOptions } from './domains/tenancy/program-credential/agent-options.js';
import { ensureProgramCredential } from './domains/tenancy/program-credential/ensure-program-credential.js';
import { requireArguments } from './contract/errors/arguments.js';
import { agentHolding, type Keep, runtimeOf } from './keep/keep.js';
import { copyServedStore } from './storage/lmdb-store/copy-served-store.js';
import { examineDirectory, withFoundStore } from './storage/lmdb-store/with-found-store.js';
import {
  type ErasureToVerify,
  type ErasureVerification,
  verifyErasure,
} from './upkeep/snapshot/verify-erasure.js';
import { manifestOfFound } from './storage/lmdb-store/found-store.js';
import { generatePassword as generate } from './domains/people/password/password-generator.js';
import { type Clock, systemClock } from './kernel/ports/clock.js';
import { onceDelivered } from './kernel/services/delivery.js';
import { encryptionKeys } from './upkeep/sealing/manage-keys.js';
import { copyStore, type StoreLocation } from './upkeep/snapshot/copy-store.js';
import {
  snapshotKeep,
  snapshotLocation,
  snapshotsOfKeep,
} from './upkeep/snapshot/keep-snapshots.js';
import { makeSnapshot } from './upkeep/snapshot/make-snapshot.js';
import type { OnProgress, Progress } from './upkeep/snapshot/progress.js';
import type { Snapshot, SnapshotList } from './upkeep/snapshot/schema.js';
import { restoreSnapshot } from './upkeep/snapshot/restore-snapshot.js';
import {
  compareStores,
  type StoreComparison,
  type StoreReport,
  type StoreToVerify,
  verifyStore as verify,
} from './upkeep/snapshot/verify-store.js';
import { type EncryptionOptions, readable } from './storage/key-files/open-sealed.js';
import type { RootKeyOptions } from './storage/key-files/root-key.js';
import type { Store } from './storage/store/store.js';
import {
  bootstrapTenant as bootstrap,
  type NewTenant,
} from './domains/tenancy/tenant/bootstrap-tenant.js';

export { isModelFailing } from './keep/failing-model.js';
export { storeLevel } from './keep/store-level.js';
export * from './transport.js';
export * from './upkeep/replication/examine-replica.js';
export * from './upkeep/replication/follow-replica.js';
export * from './upkeep/replication/promote-replica.js';
export * from './upkeep/replication/restore/restore-replica.js';
export { copyStore, examineDirectory, restoreSnapshot };
export { continueErasures, encryptionKeys };
export type {
  AgentOptions,
  AuditVerification,
  EncryptionOptions,
  ErasureToVerify,
  ErasureVerification,
  IssuedCredential,
  IssuedGlobalCredential,
  LoginAccount,
  NewAdmin,
  OnProgress,
  Progress,
  RootKeyOptions,
  SecuritySettings,
  StoreLocation,
  StoreReport,
};

/**
 * Makes a tenant and its first administrator, and returns its secret, which is stored nowhere. A
 * tenant that {@link agentFor} made gets its first administrator.
 * @throws {AgentkeepError} `invalid_request` for ids that break the text rule, `tenant_exists` for a
 * tenant that had an administrator before.
 * @example
 * ```ts
 * import { openKeep, inMemoryStore } from '@agentkeep/core';
 * import { bootstrapTenant } from '@agentkeep/core/operator';
 *
 * await using keep = await openKeep({ store: inMemoryStore() });
 * const { secret } = await bootstrapTenant(keep, { tenantId: 'acme', subjectId: 'ops' });
 * const admin = await keep.authenticate(secret);
 * console.log((await admin.whoAmI()).tenant_id);
 * ```
 */
export async function bootstrapTenant(keep: Keep, tenant: NewTenant): Promise<IssuedCredential> {
  requireArguments('bootstrapTenant()', { tenant });
  return onceDelivered(runtimeOf(keep), (used) => bootstrap(used, tenant));
}

/**
 * Returns the agent of a subject, for the program that embeds the keep: no secret is made that the
 * program would have to store.
 *
 * The first call makes the tenant, if there is none, and issues a credential; later calls, also of
 * other processes, find that credential. It is an ordinary credential of the tenant: listed,
 * audited, and revocable by an administrator.
 *
 * - `scopes` are the scopes of the credential from this call on. A list that differs from the last
 *   one replaces it, for all agents of the subject.
 * - Revoking or rotating the credential ends the agents that hold it, at their next call. After a
 *   rotation the next `agentFor()` returns a working agent. After a revocation it throws
 *   `credential_revoked`, and issues a new credential only with `renew: true`.
 * - Capabilities of a credential never change. Other ones than before throw `capabilities_differ`;
 *   with `renew: true` a new credential replaces the old one, which is revoked.
 *
 * @throws {AgentkeepError} `invalid_request` with the wrong options as `members`;
 * `credential_revoked`; `capabilities_differ`.
 * @example
 * ```ts
 * import { inMemoryStore, openKeep, type ScopeInput } from '@agentkeep/core';
 * import { agentFor } from '@agentkeep/core/operator';
 *
 * await using keep = await openKeep({ store: inMemoryStore() });
 * const scope: ScopeInput = { project_id: 'p', agent_id: 'a', visibility: 'private' };
 * const agent = await agentFor(keep, { tenantId: 'acme', subjectId: 'helper', scopes: [scope] });
 * console.log((await agent.whoAmI()).spec.capabilities); // memory_read and memory_write
 * ```
 */
export async function agentFor(keep: Keep, options: AgentOptions): Promise<Agent> {
  const found = onceDelivered(runtimeOf(keep), (used) => ensureProgramCredential(used, options));
  const { held, home } = await found;
  return agentHolding(keep, held, home);
}

/**
 * Makes an account with the role SuperAdmin or Admin, of a tenant or of the installation.
 *
 * @throws {AgentkeepError} `invalid_request` for members that break a rule and for a credential
 * that is unknown, dead or foreign; `weak_password`; `tenant_not_found`; `already_exists` when
 * username or e-mail is taken, and nothing is changed then.
 * @example
 * ```ts
 * import { openKeep, inMemoryStore } from '@agentkeep/core';
 * import { createAdmin } from '@agentkeep/core/operator';
 *
 * await using keep = await openKeep({ store: inMemoryStore() });
 * const account = await createAdmin(keep, { username: 'root', password: 'Correct-Horse-7' });
 * if (account.authority.kind !== 'global') throw new Error('unexpected');
 * ```
 */
export async function createAdmin(keep: Keep, admin: NewAdmin): Promise<LoginAccount> {
  requireArguments('createAdmin()', { admin });
  return onceDelivered(runtimeOf(keep), (used) => makeAdmin(used, admin));
}

/**
 * Opens a session of an account without its password, and returns its refresh token, which is
 * stored nowhere. Returns `undefined` if there is no such account, or if it may not log in. The
 * event of the login names the `request` that asked for the session, if there is one.
 * @example
 * ```ts
 * import { openKeep, inMemoryStore } from '@agentkeep/core';
 * import { createAdmin, openAccountSession } from '@agentkeep/core/operator';
 *
 * await using keep = await openKeep({ store: inMemoryStore() });
 * await createAdmin(keep, { username: 'root', password: 'Correct-Horse-7' });
 * const refreshToken = await openAccountSession(keep, { username: 'root' });
 * if (refreshToken === undefined) throw new Error('unexpected');
 * ```
 */
export async function openAccountSession(
  keep: Keep,
  account: NamedAccount,
  request?: OpeningRequest,
): Promise<string | undefined> {
  requireArguments('openAccountSession()', { account });
  return onceDelivered(runtimeOf(keep), (used) => openOperatorSession(used, account, request));
}

/** Returns a random password that follows the rule, for an account that is given none. */
export function generatePassword(keep: Keep): string {
  return generate(runtimeOf(keep).entropy);
}

/**
 * Makes the master of the installation and returns its secret, which is stored nowhere.
 * @throws {AgentkeepError} `invalid_request` when the subject breaks the text rule, `master_exists`
 * when there was one before, even if it is revoked.
 * @example
 * ```ts
 * import { openKeep, inMemoryStore } from '@agentkeep/core';
 * import { bootstrapMaster } from '@agentkeep/core/operator';
 *
 * await using keep = await openKeep({ store: inMemoryStore() });
 * const { credential } = await bootstrapMaster(keep, 'root');
 * if (!credential.is_master) throw new Error('unexpected');
 * ```
 */
export async function bootstrapMaster(
  keep: Keep,
  subjectId: string,
): Promise<IssuedGlobalCredential> {
  return onceDelivered(runtimeOf(keep), (used) => makeMaster(used, subjectId));
}

/**
 * Issues a new secret to the master and ends its revocation.
 *
 * @throws {AgentkeepError} `master_absent`; `revision_conflict` when the master is at another
 * revision than the expected one.
 */
export async function recoverMaster(
  keep: Keep,
  expectedRevision: number,
): Promise<IssuedGlobalCredential> {
  return onceDelivered(runtimeOf(keep), (used) => recover(used, expectedRevision));
}

/**
 * Records `system_startup`. If there is no key yet that signs access tokens, it begins to make one,
 * for which only the first use of the key waits. A server calls it before it listens. The
 * `settings` are the options that the security of the service depends on, by name, without those
 * that have their default. The names of options that differ from the last start are recorded as
 * `configuration_changed`, and so are changed signing keys. Only digests of the values are stored.
 * @throws {AgentkeepError} `storage_inconsistency` when the stored key does not verify.
 */
export async function recordStartup(keep: Keep, settings: SecuritySettings = {}): Promise<void> {
  return operator.recordStartup(runtimeOf(keep), settings);
}

/** Records `system_shutdown` as the last event. A server calls it before it closes the keep. */
export async function recordShutdown(keep: Keep, uptimeSeconds: number): Promise<void> {
  return operator.recordShutdown(runtimeOf(keep), uptimeSeconds);
}

/**
 * Checks the hash chain of every authority, from the oldest event that is kept to the newest, and
 * names the first event whose link fails. It may run while the keep is in use.
 */
export async function verifyAudit(keep: Keep): Promise<AuditVerification> {
  const { store, audit } = runtimeOf(keep);
  await audit.flush();
  return verifyChains(store);
}

/**
 * Checks the audit log of a directory as {@link verifyAudit} does. While another process serves it,
 * a copy as of its last commit is checked, in a temporary directory that goes again.
 * @throws {AgentkeepError} `store_incompatible` if there is no store; `store_in_use` if this
 * process has it open; `store_full` or `store_unavailable` if it cannot be copied; `keys_unusable` if
 * it is encrypted with other keys than those given.
 */
export function verifyAuditOfDirectory(
  dataDir: string,
  encryption?: EncryptionOptions,
): Promise<AuditVerification> {
  return withFoundStore(dataDir, (store) => verifyAuditOfStore(store, encryption));
}

/**
 * Checks the audit log of a store that the caller has opened, as {@link verifyAudit} does.
 * @throws {AgentkeepError} `keys_unusable` if it is encrypted with other keys than those given.
 */
export async function verifyAuditOfStore(
  store: Store,
  encryption?: EncryptionOptions,
): Promise<AuditVerification> {
  return verifyChains(await readable(store, encryption, sealedFamilies));
}

/**
 * Looks through every family of a store for what an erasure had to remove, and lists the copies
 * from before that it cannot look into. The directory may be in use by a server.
 * @throws {AgentkeepError} as `verifyAuditOfDirectory` does.
 */
export function verifyErasureOfDirectory(
  asked: ErasureToVerify & { readonly dataDir: string },
): Promise<ErasureVerification> {
  return withFoundStore(asked.dataDir, (store) => verifyErasureOfStore(store, asked));
}

/** Does the same with a store that the caller has opened. */
export async function verifyErasureOfStore(
  store: Store,
  asked: ErasureToVerify,
): Promise<ErasureVerification> {
  return verifyErasure(await readable(store, asked.encryption, sealedFamilies), families, asked);
}

/**
 * Makes a snapshot of an open keep, in the folder `snapshots` of its directory, while calls go on.
 * It holds everything that was acknowledged before.
 * @throws {AgentkeepError} `snapshot_in_progress` while another one is made; `store_full`;
 * `store_unavailable` if copying failed; `storage_inconsistency` if the copy does not verify;
 * `no_data_directory` if the keep was given a store and no directory beside it.
 * @example
 * ```ts
 * import { mkdtemp } from 'node:fs/promises';
 * import { tmpdir } from 'node:os';
 * import { join } from 'node:path';
 * import { openKeep } from '@agentkeep/core';
 * import { createSnapshot, listSnapshots } from '@agentkeep/core/operator';
 *
 * const dataDir = await mkdtemp(join(tmpdir(), 'agentkeep-'));
 * await using keep = await openKeep({ dataDir });
 * const { snapshot_id } = await createSnapshot(keep);
 * const { snapshots } = await listSnapshots(keep);
 * if (snapshots[0]?.snapshot_id !== snapshot_id) throw new Error('unexpected');
 * ```
 */
export async function createSnapshot(
  keep: Keep,
  { onProgress }: { readonly onProgress?: OnProgress } = {},
): Promise<Snapshot> {
  return snapshotKeep(snapshotLocation.of(runtimeOf(keep)), runtimeOf(keep), { onProgress });
}

/**
 * The complete snapshots of an open keep, newest first.
 * @throws {AgentkeepError} `no_data_directory` if the keep was given a store and no directory.
 */
export async function listSnapshots(keep: Keep): Promise<SnapshotList> {
  return snapshotsOfKeep(snapshotLocation.of(runtimeOf(keep)));
}

/** Which directory to make a snapshot of. */
interface SnapshotTarget {
  readonly dataDir: string;
  readonly clock?: Clock;
  readonly onProgress?: OnProgress | undefined;
}

/**
 * Makes a snapshot of a directory that another process may serve, as {@link createSnapshot} does.
 * The server goes on; only while its store is copied, no process can start to serve it.
 * @throws {AgentkeepError} as {@link createSnapshot}, and `store_in_use` if this process has it
 * open, `store_incompatible` if there is no store.
 */
export async function snapshotDirectory(target: SnapshotTarget): Promise<Snapshot> {
  const { dataDir, clock = systemClock, onProgress } = target;
  // Before anything is made in it.
  await manifestOfFound(dataDir);
  const backup = (directory: string): Promise<void> => copyServedStore(dataDir, directory);
  return makeSnapshot({ dataDir, clock, backup, onProgress });
}

/** Which store to make a snapshot of, and in the folder `snapshots` of which directory. */
interface StoreSnapshotTarget extends SnapshotTarget {
  readonly store: Store;
}

/**
 * Makes a snapshot of a store that the caller has opened, while others use it too.
 * @throws {AgentkeepError} as {@link createSnapshot}.
 */
export function snapshotStore(target: StoreSnapshotTarget): Promise<Snapshot> {
  const { store, dataDir, clock = systemClock, onProgress } = target;
  const backup = (directory: string): Promise<void> => store.backup(directory);
  return makeSnapshot({ dataDir, clock, backup, onProgress });
}

/**
 * Verifies the store of a directory that no process has open, and changes nothing in it: every
 * value is read and decoded. With `source`, verifies that one too and compares the two.
 * @throws {AgentkeepError} `storage_inconsistency` for damage; `store_in_use`; `store_incompatible`
 * if there is no store; `directories_overlap`; `stores_differ`, with the families as `members`.
 */
export function verifyStore(
  options: StoreToVerify & { readonly source: string },
): Promise<StoreComparison>;
export function verifyStore(
  options: StoreToVerify & { readonly source?: undefined },
): Promise<StoreReport>;
export function verifyStore({
  source,
  ...options
}: StoreToVerify & { readonly source?: string | undefined }): Promise<
  StoreComparison | StoreReport
> {
  return source === undefined ? verify(options) : compareStores({ ...options, source });
}
