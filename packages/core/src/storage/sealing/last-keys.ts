/** The keys that were used last, because bodies mostly seal for one owner after another. */
import { copyBytes } from '../store/bytes.js';
import { tenantEnd } from '../store/key.js';
import type { TenantText } from './key-source.js';
import type { DataKey } from './sealed-value.js';
import type { SealedBy } from '../store/family.js';
import type { SealedFamily } from './sealed-families.js';
import { type KeyedDigest, partsStart, tenantTextOf } from './stored-key.js';

const NAMESPACE_BYTES = 32;
/** No key begins with it. */
const NO_TENANT = Uint8Array.of(0xff);

/** What a tenant's keys are found in. */
export interface TenantKeys {
  /** Returns the function that makes digests of texts in the keys of a tenant. */
  digestOf(tenant: TenantText): KeyedDigest;
  /** Returns the key that seals new values of an owner. */
  sealer(tenant: TenantText, owner: string): DataKey;
}

interface Sealer {
  /** The bytes of keys that name its owner. */
  readonly owner: Uint8Array;
  readonly key: DataKey;
}

/** Keys of the tenant whose entry was touched last. */
export class LastKeys {
  readonly #keys: TenantKeys;
  /** What the keys of the tenant begin with. */
  #start: Uint8Array = NO_TENANT;
  #tenant: TenantText = '';
  #digest: KeyedDigest | undefined;
  readonly #sealers = new Map<SealedBy, Sealer>();

  constructor(keys: TenantKeys) {
    this.#keys = keys;
  }

  /** Returns the function that makes digests of texts in keys. */
  digestFor(key: Uint8Array): KeyedDigest {
    const tenant = this.#tenantOf(key);
    this.#digest ??= this.#keys.digestOf(tenant);
    return this.#digest;
  }

  /** Returns the key that seals a value. `find` finds its owner. */
  sealerFor(key: Uint8Array, { by }: SealedFamily, find: (tenant: TenantText) => string): DataKey {
    const tenant = this.#tenantOf(key);
    const last = this.#sealers.get(by);
    const start = partsStart(key);
    if (last !== undefined && hasAt(key, start, last.owner)) return last.key;
    const found = this.#keys.sealer(tenant, find(tenant));
    this.#sealers.set(by, { owner: copyBytes(ownerPart(key, by)), key: found });
    return found;
  }

  /** Forgets all keys. */
  clear(): void {
    this.#start = NO_TENANT;
    this.#digest = undefined;
    this.#sealers.clear();
  }

  /** Returns the tenant of a key, and forgets what is known of another one. */
  #tenantOf(key: Uint8Array): TenantText {
    if (hasAt(key, 0, this.#start)) return this.#tenant;
    this.clear();
    this.#tenant = tenantTextOf(key);
    this.#start = copyBytes(key.subarray(0, tenantEnd(key) + 1));
    return this.#tenant;
  }
}

/** Returns the subject that a key begins with. */
export function subjectIn(key: Uint8Array): Uint8Array {
  const start = partsStart(key);
  return key.subarray(start, key.indexOf(0, start));
}

/** Returns the digest of the namespace that a key begins with. */
export function namespaceIn(key: Uint8Array): Uint8Array {
  const start = partsStart(key);
  return key.subarray(start, start + NAMESPACE_BYTES);
}

/** Returns the bytes that name the owner in a key, with the end of a subject. */
function ownerPart(key: Uint8Array, by: SealedBy): Uint8Array {
  const start = partsStart(key);
  if (by === 'tenant') return key.subarray(start, start);
  if (by === 'namespace') return namespaceIn(key);
  return key.subarray(start, key.indexOf(0, start) + 1);
}

function hasAt(key: Uint8Array, from: number, part: Uint8Array): boolean {
  for (let at = 0; at < part.length; at += 1) if (key[from + at] !== part[at]) return false;
  return true;
}
