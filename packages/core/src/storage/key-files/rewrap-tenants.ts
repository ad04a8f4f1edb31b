/** Wraps the keys of tenants anew: for another root key, or for a recovery key. */
import { readFile } from 'node:fs/promises';
import { writeNew } from './durable-file.js';
import { EndedKeys } from './ended-keys.js';
import * as layout from './key-layout.js';
import { type RootKey, unusableKeys } from './root-key.js';

/** Called after each tenant. */
export type OnTenant = (done: number, total: number) => void;

/** What a directory of keys holds. */
export interface KeyStatus {
  readonly id: string;
  /** Id of the root key. */
  readonly root: string;
  readonly tenants: number;
  /** Tenants whose key the root key does not open. */
  readonly tenants_away: number;
  readonly destroyed_keys: number;
}

/** The keys of all tenants, wrapped by a recovery key. */
interface Escrow {
  readonly version: 1;
  /** Id of the directory of keys. */
  readonly keys: string;
  readonly tenants: Readonly<Record<string, string>>;
}

/** Returns what a directory of keys holds, and tries the key of each tenant. */
export async function keyStatus(directory: string, root: RootKey): Promise<KeyStatus> {
  const keyring = await layout.readKeyring(directory);
  const ended = new EndedKeys(directory);
  await ended.read();
  const tenants = await layout.listTenants(directory);
  let away = 0;
  for (const digest of tenants) {
    const wrapped = await layout.readTenant(directory, digest);
    if (wrapped === undefined || (await root.unwrap(wrapped)) === undefined) away += 1;
  }
  return {
    id: keyring.id,
    root: keyring.root,
    tenants: tenants.length,
    tenants_away: away,
    destroyed_keys: ended.destroyedCount,
  };
}

/**
 * Wraps the keys of all tenants by another root key: one file each, whatever the tenant holds. A
 * rotation that was interrupted is completed by the same call.
 *
 * @throws {AgentkeepError} `keys_unusable` if neither key opens the key of a tenant.
 */
export async function rotateRoot(
  directory: string,
  { from, to, onTenant }: { from: RootKey; to: RootKey; onTenant?: OnTenant | undefined },
): Promise<{ tenants: number }> {
  const keyring = await layout.readKeyring(directory);
  if (!(await layout.isRootOf(keyring, from)) && !(await layout.isRootOf(keyring, to))) {
    throw unusableKeys(`The root key does not open the keys in ${directory}.`);
  }
  const tenants = await layout.listTenants(directory);
  for (const [index, digest] of tenants.entries()) {
    const wrapped = await layout.readTenant(directory, digest);
    if (wrapped !== undefined && (await to.unwrap(wrapped)) === undefined) {
      await layout.replaceTenant(directory, digest, to, await unwrapped(from, wrapped));
    }
    onTenant?.(index + 1, tenants.length);
  }
  await layout.replaceRoot(directory, keyring.id, to);
  return { tenants: tenants.length };
}

/**
 * Writes a file with the keys of all tenants, wrapped by a recovery key. Data keys are not in it,
 * so those that are destroyed later stay destroyed.
 */
export async function escrowTenants(
  directory: string,
  { root, recovery, file }: { root: RootKey; recovery: RootKey; file: string },
): Promise<{ tenants: number }> {
  const { id } = await layout.readKeyring(directory);
  const tenants: Record<string, string> = {};
  for (const digest of await layout.listTenants(directory)) {
    const wrapped = await layout.readTenant(directory, digest);
    if (wrapped === undefined) continue;
    const secrets = await recovery.wrap(await unwrapped(root, wrapped));
    tenants[digest] = Buffer.from(secrets).toString('base64');
  }
  const escrow: Escrow = { version: 1, keys: id, tenants };
  if (await writeNew(file, Buffer.from(`${JSON.stringify(escrow)}\n`))) {
    return { tenants: Object.keys(tenants).length };
  }
  throw unusableKeys(`${file} exists already. Name a new file.`);
}

/**
 * Wraps the keys of an escrow by a root key, after the former root key was lost.
 *
 * @throws {AgentkeepError} `keys_unusable` if it is the escrow of other keys, or of another key.
 */
export async function recoverTenants(
  directory: string,
  { root, recovery, file }: { root: RootKey; recovery: RootKey; file: string },
): Promise<{ tenants: number }> {
  const { id } = await layout.readKeyring(directory);
  const escrow = layout.membersOf(await readFile(file)) as Partial<Escrow>;
  if (escrow.keys !== id || escrow.tenants === undefined)
    throw unusableKeys(`${file} is not of the keys in ${directory}.`);
  const tenants = Object.entries(escrow.tenants);
  for (const [digest, wrapped] of tenants) {
    const secrets = await unwrapped(recovery, Buffer.from(wrapped, 'base64'));
    await layout.replaceTenant(directory, digest, root, secrets);
  }
  await layout.replaceRoot(directory, id, root);
  return { tenants: tenants.length };
}

async function unwrapped(key: RootKey, wrapped: Uint8Array): Promise<Uint8Array> {
  const secrets = await key.unwrap(wrapped);
  if (secrets === undefined) throw unusableKeys('The key does not open the key of a tenant.');
  return secrets;
}
