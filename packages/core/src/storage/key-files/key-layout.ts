/** The files of a directory of keys, and how they are read and written. */
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import { sha256Text } from '../../contract/digest.js';
import { hexOf } from '../sealing/key-ids.js';
import type { TenantText } from '../sealing/key-source.js';
import { replaceFile, wipeFile, writeNew } from './durable-file.js';
import { type RootKey, unusableKeys } from './root-key.js';

/** What `keyring.json` holds. */
export interface Keyring {
  readonly version: 1;
  /** Names the keys; the stores that are sealed with them remember it. */
  readonly id: string;
  /** Id of the root key. */
  readonly root: string;
  /** A known text, wrapped by the root key, in base64. */
  readonly check: string;
}

/** The file of a tenant. */
interface TenantFile {
  readonly version: 1;
  readonly root: string;
  /** The wrapped secrets, in base64. */
  readonly wrapped: string;
}

const CHECK = Buffer.from('agentkeep keyring');
const TENANTS = 'tenants';

/** Returns the digest that names a tenant in a directory of keys. */
export function tenantDigest(tenant: TenantText): string {
  return sha256Text(Buffer.from(tenant, 'latin1'), 'hex');
}

/** Returns the path of a data key. */
export function keyPath(directory: string, tenant: TenantText, id: string): string {
  const name = hexOf(id);
  return join(directory, 'keys', tenantDigest(tenant), name.slice(0, 2), name);
}

/** Returns a file, or `undefined` if there is none. */
export async function readIfThere(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Returns what `keyring.json` holds.
 *
 * @throws {AgentkeepError} `keys_unusable`
 */
export async function readKeyring(directory: string): Promise<Keyring> {
  const bytes = await readIfThere(keyringPath(directory));
  if (bytes === undefined) {
    throw unusableKeys(`There are no keys in ${directory}. Make them with keys init.`);
  }
  const { version, id, root, check } = membersOf(bytes);
  if (typeof version === 'number' && version !== 1) {
    throw unusableKeys(`The keys in ${directory} are of a version that this one does not know.`);
  }
  const isWhole = typeof id === 'string' && typeof root === 'string' && typeof check === 'string';
  if (version !== 1 || !isWhole) throw damaged(keyringPath(directory));
  return { version, id, root, check };
}

/** Writes `keyring.json` unless there is one. Returns whether it did. */
export async function writeNewKeyring(
  directory: string,
  id: string,
  root: RootKey,
): Promise<boolean> {
  return writeNew(keyringPath(directory), jsonBytes(await keyringOf(id, root)));
}

/** Notes another root key in `keyring.json`. */
export async function replaceRoot(directory: string, id: string, root: RootKey): Promise<void> {
  await replaceFile(keyringPath(directory), jsonBytes(await keyringOf(id, root)));
}

/** Returns whether a root key is the one of `keyring.json`. */
export async function isRootOf({ check }: Keyring, root: RootKey): Promise<boolean> {
  const found = await root.unwrap(Buffer.from(check, 'base64'));
  return found !== undefined && CHECK.equals(found);
}

/** Returns the digests of the tenants with keys. */
export async function listTenants(directory: string): Promise<string[]> {
  try {
    const names = await readdir(join(directory, TENANTS));
    return names.flatMap((name) => (name.endsWith('.json') ? [name.slice(0, -5)] : [])).sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** Returns the wrapped secrets of a tenant, or `undefined` if they are away or damaged. */
export async function readTenant(directory: string, digest: string): Promise<Buffer | undefined> {
  const bytes = await readIfThere(tenantPath(directory, digest));
  const { wrapped } = bytes === undefined ? {} : (membersOf(bytes) as Partial<TenantFile>);
  return typeof wrapped === 'string' ? Buffer.from(wrapped, 'base64') : undefined;
}

/** Wraps the secrets of a tenant and stores them, unless there are some. */
export async function writeNewTenant(
  directory: string,
  digest: string,
  root: RootKey,
  secrets: Uint8Array,
): Promise<void> {
  await writeNew(tenantPath(directory, digest), await tenantFile(root, secrets));
}

/** Wraps the secrets of a tenant and replaces the stored ones. */
export async function replaceTenant(
  directory: string,
  digest: string,
  root: RootKey,
  secrets: Uint8Array,
): Promise<void> {
  await replaceFile(tenantPath(directory, digest), await tenantFile(root, secrets));
}

/** Removes the secrets of a tenant, then all its data keys, which nothing opens any more. */
export async function wipeTenant(directory: string, tenant: TenantText): Promise<void> {
  const digest = tenantDigest(tenant);
  const path = tenantPath(directory, digest);
  const size = await stat(path).then(
    ({ size: bytes }) => bytes,
    () => 0,
  );
  await wipeFile(path, size);
  await rm(join(directory, 'keys', digest), { recursive: true, force: true });
}

function keyringPath(directory: string): string {
  return join(directory, 'keyring.json');
}

function tenantPath(directory: string, digest: string): string {
  return join(directory, TENANTS, `${digest}.json`);
}

async function keyringOf(id: string, root: RootKey): Promise<Keyring> {
  const check = Buffer.from(await root.wrap(CHECK)).toString('base64');
  return { version: 1, id, root: root.id, check };
}

async function tenantFile(root: RootKey, secrets: Uint8Array): Promise<Buffer> {
  const wrapped = Buffer.from(await root.wrap(secrets)).toString('base64');
  const file: TenantFile = { version: 1, root: root.id, wrapped };
  return jsonBytes(file);
}

function jsonBytes(value: unknown): Buffer {
  return Buffer.from(`${JSON.stringify(value)}\n`, 'utf8');
}

/** Returns the members of a JSON object; none if it is damaged. */
export function membersOf(bytes: Buffer): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

/** Returns the refusal of a file that was cut off or changed. */
export function damaged(path: string): AgentkeepError {
  return unusableKeys(`${path} is damaged. Put back a copy of the directory of keys.`);
}
