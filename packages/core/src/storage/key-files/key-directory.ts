/**
 * A directory of keys. `keyring.json` names it and its root key. `tenants/` has one file for each
 * tenant, wrapped by the root key, and `keys/` one for each data key, wrapped by that of its
 * tenant. It lies apart from the data, so no copy of the data has a key in it.
 */
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import type { KeySource, TenantSecrets, TenantText } from '../sealing/key-source.js';
import { KEY_BYTES, NONCE_BYTES, XaesKey } from '../sealing/xaes-256-gcm.js';
import { DestroyedKeys } from './destroyed-keys.js';
import { replaceFile, wipeFile, writeNew } from './durable-file.js';
import { type RootKey, unusableKeys } from './root-key.js';

/** What `keyring.json` holds. */
interface Keyring {
  readonly version: 1;
  readonly id: string;
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
const SECRETS_BYTES = 2 * KEY_BYTES;
/** Nonce, key and tag. */
const DATA_FILE_BYTES = NONCE_BYTES + KEY_BYTES + 16;

/** Paths in a directory of keys. */
const keyringFile = (directory: string): string => join(directory, 'keyring.json');
const tenantsFolder = (directory: string): string => join(directory, 'tenants');

/**
 * Makes a directory of keys.
 *
 * @throws {AgentkeepError} `keys_unusable` if there is one.
 */
export async function makeKeyDirectory(directory: string, root: RootKey): Promise<{ id: string }> {
  const id = randomUUID();
  const check = Buffer.from(await root.wrap(CHECK)).toString('base64');
  const keyring: Keyring = { version: 1, id, root: root.id, check };
  if (await writeNew(keyringFile(directory), jsonBytes(keyring))) return { id };
  throw unusableKeys(`There are keys in ${directory} already. Name an empty directory.`);
}

/** A directory of keys that is open. */
export class KeyDirectory implements KeySource {
  /** Names the directory; a store remembers it. */
  readonly id: string;
  readonly #directory: string;
  readonly #root: RootKey;
  readonly #destroyed: DestroyedKeys;

  private constructor(directory: string, root: RootKey, id: string, destroyed: DestroyedKeys) {
    this.id = id;
    this.#directory = directory;
    this.#root = root;
    this.#destroyed = destroyed;
  }

  /**
   * Opens a directory with its root key.
   *
   * @throws {AgentkeepError} `keys_unusable` if it holds no keys, or those of another root key.
   */
  static async open(directory: string, root: RootKey): Promise<KeyDirectory> {
    const keyring = await readKeyring(directory);
    const check = await root.unwrap(Buffer.from(keyring.check, 'base64'));
    if (check === undefined || !CHECK.equals(check)) {
      throw unusableKeys(
        `The root key does not open the keys in ${directory}. Name the root key that they were ` +
          'made with, or the newest one after a rotation.',
      );
    }
    const destroyed = new DestroyedKeys(directory);
    await destroyed.read();
    return new KeyDirectory(directory, root, keyring.id, destroyed);
  }

  async findTenant(tenant: TenantText): Promise<TenantSecrets | undefined> {
    const bytes = await readIfThere(this.#tenantPath(tenant));
    if (bytes === undefined) return undefined;
    const { wrapped } = parsed<TenantFile>(bytes);
    const secrets = await this.#root.unwrap(Buffer.from(wrapped, 'base64'));
    return secrets?.length === SECRETS_BYTES ? secretsOf(secrets) : undefined;
  }

  async makeTenant(tenant: TenantText): Promise<TenantSecrets> {
    const path = this.#tenantPath(tenant);
    if ((await readIfThere(path)) === undefined) {
      const wrapped = await this.#root.wrap(randomBytes(SECRETS_BYTES));
      await writeNew(path, tenantFile(this.#root, wrapped));
    }
    const secrets = await this.findTenant(tenant);
    if (secrets === undefined) throw new AgentkeepError('key_unavailable');
    return secrets;
  }

  async findKey(
    tenant: TenantText,
    id: string,
    { wrapping }: TenantSecrets,
  ): Promise<Uint8Array | undefined> {
    const bytes = await readIfThere(this.#keyPath(tenant, id));
    if (bytes === undefined) return undefined;
    const nonce = bytes.subarray(0, NONCE_BYTES);
    const associated = Buffer.from(id, 'latin1');
    return new XaesKey(wrapping).open(nonce, bytes.subarray(NONCE_BYTES), associated);
  }

  async makeKey(tenant: TenantText, id: string, secrets: TenantSecrets): Promise<Uint8Array> {
    const found = await this.findKey(tenant, id, secrets);
    if (found !== undefined) return found;
    const nonce = randomBytes(NONCE_BYTES);
    const associated = Buffer.from(id, 'latin1');
    const sealed = new XaesKey(secrets.wrapping).seal(nonce, randomBytes(KEY_BYTES), associated);
    await writeNew(this.#keyPath(tenant, id), Buffer.concat([nonce, ...sealed]));
    const made = await this.findKey(tenant, id, secrets);
    if (made === undefined) throw new AgentkeepError('key_unavailable');
    return made;
  }

  isDestroyed(id: string): boolean {
    return this.#destroyed.has(hexOf(id));
  }

  async destroyKey(tenant: TenantText, id: string): Promise<void> {
    await this.#destroyed.add({
      tenant: digestOf(tenant),
      key: hexOf(id),
      destroyed_at: new Date().toISOString(),
    });
    await wipeFile(this.#keyPath(tenant, id), DATA_FILE_BYTES);
  }

  follow(onDestroyed: (id: string) => void): void {
    this.#destroyed.follow(({ key }) => {
      onDestroyed(Buffer.from(key, 'hex').toString('latin1'));
    });
  }

  close(): Promise<void> {
    return this.#destroyed.close();
  }

  #tenantPath(tenant: TenantText): string {
    return join(tenantsFolder(this.#directory), `${digestOf(tenant)}.json`);
  }

  #keyPath(tenant: TenantText, id: string): string {
    const name = hexOf(id);
    return join(this.#directory, 'keys', digestOf(tenant), name.slice(0, 2), name);
  }
}

/**
 * Wraps the keys of all tenants by another root key: one file each, whatever they hold. A rotation
 * that was interrupted is completed by the same call.
 */
export async function rotateRoot(
  directory: string,
  from: RootKey,
  to: RootKey,
  onProgress: (done: number, total: number) => void = () => undefined,
): Promise<{ tenants: number }> {
  const keyring = await readKeyring(directory);
  const names = await tenantFiles(directory);
  for (const [index, name] of names.entries()) {
    const path = join(tenantsFolder(directory), name);
    const { wrapped } = parsed<TenantFile>(await readFile(path));
    const bytes = Buffer.from(wrapped, 'base64');
    if ((await to.unwrap(bytes)) === undefined) await replaceFile(path, await rewrapped(bytes));
    onProgress(index + 1, names.length);
  }
  const check = Buffer.from(await to.wrap(CHECK)).toString('base64');
  await replaceFile(keyringFile(directory), jsonBytes({ ...keyring, root: to.id, check }));
  return { tenants: names.length };

  async function rewrapped(bytes: Uint8Array): Promise<Buffer> {
    const secrets = await from.unwrap(bytes);
    if (secrets === undefined) throw unusableKeys('The root key does not open the keys of a tenant.');
    return tenantFile(to, await to.wrap(secrets));
  }
}

/** What a directory of keys holds. */
export interface KeyStatus {
  readonly id: string;
  readonly root: string;
  readonly tenants: number;
  readonly destroyed: number;
}

/** Returns what a directory of keys holds. */
export async function keyStatus(directory: string): Promise<KeyStatus> {
  const { id, root } = await readKeyring(directory);
  const destroyed = new DestroyedKeys(directory);
  await destroyed.read();
  const tenants = (await tenantFiles(directory)).length;
  return { id, root, tenants, destroyed: destroyed.count };
}

async function tenantFiles(directory: string): Promise<string[]> {
  try {
    const names = await readdir(tenantsFolder(directory));
    return names.filter((name) => name.endsWith('.json')).sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

async function readKeyring(directory: string): Promise<Keyring> {
  const bytes = await readIfThere(keyringFile(directory));
  if (bytes === undefined) {
    throw unusableKeys(`There are no keys in ${directory}. Make them with keys init.`);
  }
  const keyring = parsed<Keyring>(bytes);
  if ((keyring as { version: number }).version === 1) return keyring;
  throw unusableKeys(`The keys in ${directory} are of a version that this one does not know.`);
}

function secretsOf(bytes: Uint8Array): TenantSecrets {
  return { wrapping: bytes.subarray(0, KEY_BYTES), naming: bytes.subarray(KEY_BYTES) };
}

function tenantFile(root: RootKey, wrapped: Uint8Array): Buffer {
  const file: TenantFile = {
    version: 1,
    root: root.id,
    wrapped: Buffer.from(wrapped).toString('base64'),
  };
  return jsonBytes(file);
}

function jsonBytes(value: unknown): Buffer {
  return Buffer.from(`${JSON.stringify(value)}\n`, 'utf8');
}

function parsed<T>(bytes: Buffer): T {
  return JSON.parse(bytes.toString('utf8')) as T;
}

function digestOf(tenant: TenantText): string {
  return createHash('sha256').update(tenant, 'latin1').digest('hex');
}

function hexOf(id: string): string {
  return Buffer.from(id, 'latin1').toString('hex');
}

async function readIfThere(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
