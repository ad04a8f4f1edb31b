/**
 * A directory of keys. `keyring.json` names it and its root key. `tenants/` has one file for each
 * tenant, wrapped by the root key, and `keys/` one for each data key, wrapped by that of its
 * tenant. It lies apart from the data, so no copy of the data has a key in it.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import { SealKey, sealedSize } from '../sealing/seal-key.js';
import { firstLiveId, hexOf, idFromHex, tenantKeyId } from '../sealing/key-ids.js';
import type { KeySource, TenantSecrets, TenantText } from '../sealing/key-source.js';
import { EndedKeys, KNOWN_AFTER_MS } from './ended-keys.js';
import { wipeFile, writeNew } from './durable-file.js';
import * as layout from './key-layout.js';
import { type RootKey, unusableKeys } from './root-key.js';

const KEY_BYTES = 32;
const SECRETS_BYTES = 2 * KEY_BYTES;
const DATA_FILE_BYTES = sealedSize(KEY_BYTES);

/**
 * Makes a directory of keys.
 *
 * @throws {AgentkeepError} `keys_unusable` if there are keys in it already.
 */
export async function makeKeyDirectory(directory: string, root: RootKey): Promise<{ id: string }> {
  const id = randomUUID();
  if (await layout.writeNewKeyring(directory, id, root)) return { id };
  throw unusableKeys(`There are keys in ${directory} already. Name an empty directory.`);
}

/** A directory of keys that is open. */
export class KeyDirectory implements KeySource {
  /** Names the directory; a store remembers it. */
  readonly id: string;
  readonly knownAfterMs = KNOWN_AFTER_MS;
  readonly #directory: string;
  readonly #root: RootKey;
  readonly #ended: EndedKeys;

  private constructor(directory: string, root: RootKey, id: string, ended: EndedKeys) {
    this.id = id;
    this.#directory = directory;
    this.#root = root;
    this.#ended = ended;
  }

  /**
   * Opens a directory with its root key.
   *
   * @throws {AgentkeepError} `keys_unusable` if it holds no keys, or those of another root key.
   */
  static async open(directory: string, root: RootKey): Promise<KeyDirectory> {
    const keyring = await layout.readKeyring(directory);
    if (!(await layout.isRootOf(keyring, root))) {
      throw unusableKeys(
        `The root key does not open the keys in ${directory}. Name the root key that they were ` +
          'made with, or the newest one after a rotation.',
      );
    }
    const ended = new EndedKeys(directory);
    await ended.read();
    return new KeyDirectory(directory, root, keyring.id, ended);
  }

  /** Returns the secrets of a tenant; `undefined` if they are away. */
  async findTenant(tenant: TenantText): Promise<TenantSecrets | undefined> {
    const wrapped = await layout.readTenant(this.#directory, layout.tenantDigest(tenant));
    const secrets = wrapped && (await this.#root.unwrap(wrapped));
    if (secrets?.length !== SECRETS_BYTES) return undefined;
    return { wrapping: secrets.subarray(0, KEY_BYTES), naming: secrets.subarray(KEY_BYTES) };
  }

  /** Makes the secrets of a tenant, unless there are some. */
  async makeTenant(tenant: TenantText): Promise<TenantSecrets> {
    const digest = layout.tenantDigest(tenant);
    if ((await layout.readTenant(this.#directory, digest)) === undefined) {
      await layout.writeNewTenant(this.#directory, digest, this.#root, randomBytes(SECRETS_BYTES));
    }
    const secrets = await this.findTenant(tenant);
    if (secrets === undefined) throw new AgentkeepError('key_unavailable');
    return secrets;
  }

  /** Returns a data key; `undefined` if it is away. */
  async findKey(
    tenant: TenantText,
    id: string,
    { wrapping }: TenantSecrets,
  ): Promise<Uint8Array | undefined> {
    const bytes = await layout.readIfThere(layout.keyPath(this.#directory, tenant, id));
    if (bytes === undefined) return undefined;
    return SealKey.derived(wrapping, 'wrap').open(bytes, Buffer.from(id, 'latin1'));
  }

  /** Makes a data key, unless there is one. */
  async makeKey(tenant: TenantText, id: string, secrets: TenantSecrets): Promise<Uint8Array> {
    const found = await this.findKey(tenant, id, secrets);
    if (found !== undefined) return found;
    const wrapping = SealKey.derived(secrets.wrapping, 'wrap');
    const wrapped = wrapping.seal(randomBytes(KEY_BYTES), Buffer.from(id, 'latin1'));
    await writeNew(layout.keyPath(this.#directory, tenant, id), wrapped);
    const made = await this.findKey(tenant, id, secrets);
    if (made === undefined) throw new AgentkeepError('key_unavailable');
    return made;
  }

  /** Whether a key was destroyed. */
  isDestroyed(id: string): boolean {
    return this.#ended.isDestroyed(hexOf(id));
  }

  /** Whether a key was retired or destroyed. */
  hasEnded(id: string): boolean {
    return this.#ended.hasEnded(hexOf(id));
  }

  /** Returns the id of the current data key of an owner; `undefined` if there is none. */
  async currentOf(tenant: TenantText, owner: string): Promise<string | undefined> {
    const secrets = await this.findTenant(tenant);
    if (secrets === undefined) return undefined;
    const id = firstLiveId(secrets, owner, (each) => this.hasEnded(each));
    return (await this.findKey(tenant, id, secrets)) === undefined ? undefined : id;
  }

  /** Notes in the ledger that keys seal nothing new. */
  async retire(tenant: TenantText, ids: readonly string[]): Promise<void> {
    for (const id of ids) {
      if (!this.hasEnded(id)) await this.#note(tenant, id, 'retired_at');
    }
  }

  /** Destroys data keys: notes each in the ledger, then removes its file. */
  async destroy(tenant: TenantText, ids: readonly string[]): Promise<void> {
    for (const id of ids) {
      if (!this.isDestroyed(id)) await this.#note(tenant, id, 'destroyed_at');
      await wipeFile(layout.keyPath(this.#directory, tenant, id), DATA_FILE_BYTES);
    }
  }

  /** Destroys the secrets of a tenant, if they have this id, and then all its data keys. */
  async destroyTenant(tenant: TenantText, id: string): Promise<void> {
    const secrets = await this.findTenant(tenant);
    if (secrets !== undefined && tenantKeyId(secrets) !== id) return;
    if (!this.isDestroyed(id)) await this.#note(tenant, id, 'destroyed_at');
    await layout.wipeTenant(this.#directory, tenant);
  }

  /** Calls back with each key that ends from now on. */
  follow(onEnded: (id: string) => void): void {
    this.#ended.follow(({ key }) => {
      onEnded(idFromHex(key));
    });
  }

  /** Stops following. */
  close(): Promise<void> {
    return this.#ended.close();
  }

  #note(tenant: TenantText, id: string, what: 'retired_at' | 'destroyed_at'): Promise<void> {
    const entry = { tenant: layout.tenantDigest(tenant), key: hexOf(id) };
    return this.#ended.add({ ...entry, [what]: new Date().toISOString() });
  }
}
