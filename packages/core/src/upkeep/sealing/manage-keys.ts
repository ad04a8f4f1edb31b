/** Manages keys of encryption, and seals again what an old key sealed. */
import { setImmediate } from 'node:timers/promises';
import type { ScopeInput } from '../../kernel/access/scope.js';
import { Sweeper } from '../../kernel/services/sweeper.js';
import { KeyDirectory, makeKeyDirectory } from '../../storage/key-files/key-directory.js';
import type { EncryptionOptions } from '../../storage/key-files/open-sealed.js';
import {
  escrowTenants,
  type KeyStatus,
  type OnTenant,
  recoverTenants,
  rotateRoot,
  keyStatus as statusOf,
} from '../../storage/key-files/rewrap-tenants.js';
import { makeRootKey, openRootKey, type RootKeyOptions } from '../../storage/key-files/root-key.js';
import { hexOf } from '../../storage/sealing/key-ids.js';
import { scopeOwner, subjectOwner } from '../../storage/sealing/owners.js';
import { tenantText } from '../../storage/sealing/stored-key.js';

/** Whose key: that of a subject for its private memory, or of a shared scope. */
type KeyOwner = { readonly tenantId: string } & (
  | { readonly subjectId: string; readonly scope?: undefined }
  | { readonly scope: Omit<ScopeInput, 'visibility'>; readonly subjectId?: undefined }
);

/** A key that was destroyed. */
interface DestroyedKeyReport {
  /** Its id, in hexadecimal; null if the owner had no key. */
  readonly key_id: string | null;
}

/** How many tenants a command went through. */
interface RewrappedTenants {
  readonly tenants: number;
}

/** A second key and a file. */
interface EscrowOptions extends EncryptionOptions {
  readonly recoveryKey: RootKeyOptions;
  readonly file: string;
}

/**
 * Makes a directory of keys, and the file of its root key if there is none.
 * @throws {AgentkeepError} `keys_unusable` if there are keys in the directory already.
 */
async function make({ keysDir, rootKey }: EncryptionOptions): Promise<{ id: string }> {
  await makeIfAbsent(rootKey);
  return makeKeyDirectory(keysDir, await openRootKey(rootKey));
}

/**
 * Returns what a directory of keys holds, and tries the key of each tenant.
 * @throws {AgentkeepError} `keys_unusable`
 */
async function status({ keysDir, rootKey }: EncryptionOptions): Promise<KeyStatus> {
  return statusOf(keysDir, await openRootKey(rootKey));
}

/**
 * Wraps the keys of all tenants by another root key, which is made if its file is absent. Start
 * servers with the new one afterwards.
 * @throws {AgentkeepError} `keys_unusable`
 */
async function rotate({
  keysDir,
  rootKey,
  newRootKey,
  onTenant,
}: EncryptionOptions & {
  readonly newRootKey: RootKeyOptions;
  readonly onTenant?: OnTenant | undefined;
}): Promise<RewrappedTenants> {
  const from = await openRootKey(rootKey);
  await makeIfAbsent(newRootKey);
  return rotateRoot(keysDir, { from, to: await openRootKey(newRootKey), onTenant });
}

/**
 * Writes a file with the keys of all tenants, wrapped by a recovery key, which is made if its file
 * is absent.
 * @throws {AgentkeepError} `keys_unusable`
 */
async function escrow(options: EscrowOptions): Promise<RewrappedTenants> {
  const { keysDir, rootKey, recoveryKey, file } = options;
  await makeIfAbsent(recoveryKey);
  const recovery = await openRootKey(recoveryKey);
  return escrowTenants(keysDir, { root: await openRootKey(rootKey), recovery, file });
}

/**
 * Wraps the keys of an escrow by a new root key, after the root key was lost.
 * @throws {AgentkeepError} `keys_unusable`
 */
async function recover(options: EscrowOptions): Promise<RewrappedTenants> {
  const { keysDir, rootKey, recoveryKey, file } = options;
  const recovery = await openRootKey(recoveryKey);
  await makeIfAbsent(rootKey);
  return recoverTenants(keysDir, { root: await openRootKey(rootKey), recovery, file });
}

/**
 * Destroys the key of an owner for good: nothing that was stored with it can be read again, in this
 * store or in any copy. Servers notice within a few seconds.
 * @throws {AgentkeepError} `keys_unusable`
 */
async function destroy({
  keysDir,
  rootKey,
  ...owner
}: EncryptionOptions & KeyOwner): Promise<DestroyedKeyReport> {
  const keys = await KeyDirectory.open(keysDir, await openRootKey(rootKey));
  const tenant = tenantText(owner.tenantId);
  const id = await keys.currentOf(tenant, ownerOf(owner));
  if (id === undefined) return { key_id: null };
  await keys.destroy(tenant, [id]);
  return { key_id: hexOf(id) };
}

function ownerOf({ subjectId, scope }: KeyOwner): string {
  if (scope === undefined) return subjectOwner(subjectId);
  const { project_id: project, mission_id: mission = null, agent_id: agent } = scope;
  return scopeOwner([project, mission, agent]);
}

async function makeIfAbsent(key: RootKeyOptions): Promise<void> {
  if ('file' in key) await makeRootKey(key.file);
}

/** What an operator does with the keys of encrypted stores. */
export const encryptionKeys = { make, status, rotate, escrow, recover, destroy } as const;

/** How often it tries again after a slice that failed, for instance because a key is away. */
const RETRY_EVERY_MS = 5_000;

/** Seals until nothing is plain. */
export class SealingWorker extends Sweeper {
  readonly #sealSlice: () => Promise<boolean>;
  #isComplete = false;

  /** `sealSlice` returns whether all is sealed. */
  constructor(sealSlice: () => Promise<boolean>) {
    super();
    this.#sealSlice = sealSlice;
  }

  /** Begins, or continues what an earlier run left. */
  start(): void {
    this.wake();
    this.repeat(RETRY_EVERY_MS);
  }

  protected async sweepAll(): Promise<void> {
    while (!this.#isComplete && !this.isStopped) {
      this.#isComplete = await this.#sealSlice();
      await setImmediate();
    }
  }
}
