/**
 * The keys that bodies of transactions find in memory. A body that lacks one ends with {@link
 * KeyNeeded}; its key is brought outside the transaction, and the body runs again.
 */
import { BoundedMap } from '../../contract/bounded-map.js';
import { sha256 } from '../../contract/digest.js';
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import { keyText } from '../store/bytes.js';
import type { UnreadableCode } from '../store/value.js';
import { firstLiveId, hexOf, idFromHex, tenantKeyId } from './key-ids.js';
import type { KeySource, TenantSecrets, TenantText } from './key-source.js';
import { LastKeys } from './last-keys.js';
import { OpenedMemo } from './opened-memo.js';
import { DataKey, keyIdIn } from './sealed-value.js';
import { type KeyedDigest, tenantTextOf } from './stored-key.js';
import type { TenantMarks } from './tenant-marks.js';

const LENGTH_BYTES = 4;

/**
 * Returns the SHA-256 of a secret of 32 bytes, the length of a text and the text. The length comes
 * first, so no input is the beginning of another one, and the hash can't be continued.
 */
function keyedHash(secret: Uint8Array, text: Uint8Array): Uint8Array {
  const start = secret.length + LENGTH_BYTES;
  const input = Buffer.allocUnsafe(start + text.length);
  input.set(secret);
  input.writeUInt32LE(text.length, secret.length);
  input.set(text, start);
  return sha256(input);
}

/** Most keys in memory, far above what one body uses. */
const KEYS_MAX = 16_384;
const NAMESPACES_MAX = 65_536;
const DIGESTS_MAX = 16_384;
/** How long a key that can't be had is not looked for again. */
const AWAY_MS = 5_000;

/** What a body lacks: the secrets of a tenant, a key by its id, or the current one of an owner. */
export type KeyNeed =
  | { readonly kind: 'tenant'; readonly tenant: TenantText }
  | { readonly kind: 'key'; readonly tenant: TenantText; readonly id: string }
  | { readonly kind: 'owner'; readonly tenant: TenantText; readonly owner: string };

/** Ends a body that lacks keys. Never leaves the sealed store. */
export class KeyNeeded extends Error {
  readonly needs: readonly KeyNeed[];

  constructor(...needs: readonly KeyNeed[]) {
    super('A key is not in memory.');
    this.needs = needs;
  }
}

interface Tenant {
  readonly secrets: TenantSecrets;
  readonly digest: KeyedDigest;
}

/** Something that can't be had until a moment. */
interface Away {
  readonly untilMs: number;
  readonly code: UnreadableCode;
}

/** Parts of a ring. */
interface KeyRingParts {
  readonly source: KeySource;
  readonly marks: TenantMarks;
  readonly now: () => number;
}

/** The keys of one store. */
export class KeyRing {
  readonly #parts: KeyRingParts;
  readonly #tenants = new BoundedMap<string, Tenant | Away>({ max: KEYS_MAX });
  readonly #keys = new BoundedMap<string, DataKey | Away>({ max: KEYS_MAX });
  /** Ids of the current keys of owners. */
  readonly #current = new BoundedMap<string, string>({ max: KEYS_MAX });
  /** Owners of namespaces, which never change. */
  readonly #owners = new BoundedMap<string, string>({ max: NAMESPACES_MAX });
  /** Digests of subjects in keys. */
  readonly #digests = new BoundedMap<string, Uint8Array>({ max: DIGESTS_MAX });
  #lastOpener: DataKey | undefined;
  /** The keys that were used last. */
  readonly last = new LastKeys(this);
  /** What was opened lately. */
  readonly opened = new OpenedMemo();
  readonly #pending = new Map<string, Promise<void>>();

  constructor(parts: KeyRingParts) {
    this.#parts = parts;
    parts.source.follow(() => {
      this.#forget();
    });
  }

  /** Called when a key has ended, so that what was decoded with it can be forgotten. */
  onEnded: () => void = () => undefined;

  /**
   * Returns the function that makes digests of texts in the keys of a tenant.
   *
   * @throws {KeyNeeded}
   * @throws {AgentkeepError} `key_unavailable`
   */
  digestOf(tenant: TenantText): KeyedDigest {
    return this.#tenant(tenant).digest;
  }

  /**
   * Returns the key of a sealed value, or why there is none.
   *
   * @throws {KeyNeeded}
   */
  openerFor(storedKey: Uint8Array, sealed: Uint8Array): DataKey | UnreadableCode {
    if (this.#lastOpener?.isOf(sealed) === true) return this.#lastOpener;
    const found = this.#opener(tenantTextOf(storedKey), keyIdIn(sealed));
    if (typeof found !== 'string') this.#lastOpener = found;
    return found;
  }

  #opener(tenant: TenantText, id: string): DataKey | UnreadableCode {
    const known = this.#keys.get(id);
    if (known instanceof DataKey) return known;
    if (this.#parts.source.isDestroyed(id)) return 'key_destroyed';
    const away = this.#awayIn(known) ?? this.#awayIn(this.#tenants.get(tenant));
    if (away !== undefined) return away;
    throw new KeyNeeded({ kind: 'key', tenant, id });
  }

  /**
   * Returns the key that seals new values of an owner.
   *
   * @throws {KeyNeeded}
   * @throws {AgentkeepError} `key_unavailable`
   */
  sealer(tenant: TenantText, owner: string): DataKey {
    const id = this.#current.get(nameOf(tenant, owner));
    if (id !== undefined) {
      const key = this.#opener(tenant, id);
      if (key instanceof DataKey) return key;
      throw new AgentkeepError(key);
    }
    this.#tenant(tenant);
    throw new KeyNeeded({ kind: 'owner', tenant, owner });
  }

  /** Returns the owner of a namespace if it is known. */
  ownerOf(tenant: TenantText, digest: string): string | undefined {
    return this.#owners.get(nameOf(tenant, digest));
  }

  /** Remembers the owner of a namespace. */
  rememberOwner(tenant: TenantText, digest: string, owner: string): void {
    this.#owners.set(nameOf(tenant, digest), owner);
  }

  /** Brings keys into memory, or remembers that they can't be had. */
  async provide({ needs }: KeyNeeded): Promise<void> {
    for (const need of needs) {
      const what = need.kind === 'tenant' ? '' : need.kind === 'key' ? need.id : need.owner;
      const name = nameOf(need.tenant, `${need.kind} ${what}`);
      const work = this.#pending.get(name) ?? this.#bring(need);
      this.#pending.set(name, work);
      try {
        await work;
      } finally {
        this.#pending.delete(name);
      }
    }
  }

  /** Ends the work of the source. */
  close(): Promise<void> {
    return this.#parts.source.close();
  }

  #tenant(tenant: TenantText): Tenant {
    const known = this.#tenants.get(tenant);
    const away = this.#awayIn(known);
    if (away !== undefined) throw new AgentkeepError(away);
    if (known === undefined || 'untilMs' in known) throw new KeyNeeded({ kind: 'tenant', tenant });
    return known;
  }

  #awayIn(known: object | undefined): UnreadableCode | undefined {
    if (known === undefined || !('untilMs' in known)) return undefined;
    const { untilMs, code } = known as Away;
    return untilMs > this.#parts.now() ? code : undefined;
  }

  #away(code: UnreadableCode = 'key_unavailable'): Away {
    return { untilMs: this.#parts.now() + AWAY_MS, code };
  }

  async #bring(need: KeyNeed): Promise<void> {
    try {
      const { secrets } = await this.#bringTenant(need.tenant);
      if (need.kind === 'key') await this.#bringKey(need.tenant, need.id, secrets);
      if (need.kind === 'owner') await this.#bringOwner(need.tenant, need.owner, secrets);
    } catch (error) {
      // The body runs again and finds the tenant away.
      if (!(error instanceof AgentkeepError) || error.code !== 'key_unavailable') throw error;
    }
  }

  /** Returns the secrets of a tenant, which are made unless the store was sealed with some. */
  async #bringTenant(tenant: TenantText): Promise<Tenant> {
    const known = this.#tenants.get(tenant);
    if (known !== undefined && !('untilMs' in known)) return known;
    const { source, marks } = this.#parts;
    const mark = await marks.find(tenant);
    const secrets =
      mark === undefined ? await source.makeTenant(tenant) : await source.findTenant(tenant);
    const id = secrets && hexOf(tenantKeyId(secrets));
    if (secrets === undefined || id === undefined || (mark ?? id) !== id) {
      const isDestroyed = mark !== undefined && source.isDestroyed(idFromHex(mark));
      this.#tenants.set(tenant, this.#away(isDestroyed ? 'key_destroyed' : undefined));
      throw new AgentkeepError('key_unavailable');
    }
    if (mark === undefined) await marks.put(tenant, id);
    const brought = { secrets, digest: this.#digestWith(tenant, secrets) };
    this.#tenants.set(tenant, brought);
    return brought;
  }

  #digestWith(tenant: TenantText, { naming }: TenantSecrets): KeyedDigest {
    return (bytes, isRepeated) => {
      if (!isRepeated) return keyedHash(naming, bytes);
      const name = nameOf(tenant, keyText(bytes));
      const known = this.#digests.get(name);
      if (known !== undefined) return known;
      const digest = keyedHash(naming, bytes);
      this.#digests.set(name, digest);
      return digest;
    };
  }

  async #bringKey(tenant: TenantText, id: string, secrets: TenantSecrets): Promise<void> {
    const secret = await this.#parts.source.findKey(tenant, id, secrets);
    const key = secret && new DataKey(Buffer.from(id, 'latin1'), secret);
    this.#keys.set(id, key ?? this.#away());
  }

  async #bringOwner(tenant: TenantText, owner: string, secrets: TenantSecrets): Promise<void> {
    const { source } = this.#parts;
    const id = firstLiveId(secrets, owner, (each) => source.hasEnded(each));
    const secret = await source.makeKey(tenant, id, secrets);
    this.#keys.set(id, new DataKey(Buffer.from(id, 'latin1'), secret));
    this.#current.set(nameOf(tenant, owner), id);
  }

  /** Forgets all keys: those that have not ended are brought again. */
  #forget(): void {
    this.#tenants.clear();
    this.#keys.clear();
    this.#lastOpener = undefined;
    this.last.clear();
    this.#current.clear();
    this.#digests.clear();
    this.opened.clear();
    this.onEnded();
  }
}

function nameOf(tenant: TenantText, rest: string): string {
  return `${tenant}\0${rest}`;
}
