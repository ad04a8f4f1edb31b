/** What one run of a body needs of the keys of a tenant, found once for all its keys and values. */
import { copyBytes, keyText } from '../store/bytes.js';
import { tenantEnd } from '../store/key.js';
import type { KeyRing } from './key-ring.js';
import type { TenantText } from './key-source.js';
import type { DataKey } from './sealed-value.js';
import type { NumberedFamily } from './sealing-table.js';
import { type KeyedDigest, partsStart, tenantTextOf } from './stored-key.js';

const NAMESPACE_BYTES = 32;
/** No key begins with it. */
const NO_TENANT = Uint8Array.of(0xff);

/** Keys of the tenant whose entry was touched last. */
export class KeysOfRun {
  readonly #ring: KeyRing;
  /** What the keys of the tenant begin with. */
  #start: Uint8Array = NO_TENANT;
  #tenant: TenantText = '';
  #digest: KeyedDigest | undefined;
  readonly #sealers = new Map<string, DataKey>();

  constructor(ring: KeyRing) {
    this.#ring = ring;
  }

  /** Returns the function that makes digests of texts in keys. */
  digestFor(key: Uint8Array): KeyedDigest {
    const tenant = this.#tenantOf(key);
    this.#digest ??= this.#ring.digestOf(tenant);
    return this.#digest;
  }

  /** Returns the key that seals a value. `find` finds its owner. */
  sealerFor(
    key: Uint8Array,
    family: NumberedFamily,
    find: (tenant: TenantText) => string,
  ): DataKey {
    const tenant = this.#tenantOf(key);
    const name = ownerName(key, family);
    const known = this.#sealers.get(name);
    if (known !== undefined) return known;
    const sealer = this.#ring.sealer(tenant, find(tenant));
    this.#sealers.set(name, sealer);
    return sealer;
  }

  /** Returns the tenant of a key, and forgets what is known of another one. */
  #tenantOf(key: Uint8Array): TenantText {
    if (startsWith(key, this.#start)) return this.#tenant;
    this.#start = copyBytes(key.subarray(0, tenantEnd(key) + 1));
    this.#tenant = tenantTextOf(key);
    this.#digest = undefined;
    this.#sealers.clear();
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

/** Returns a text that is different for each owner of a tenant. */
function ownerName(key: Uint8Array, { by }: NumberedFamily): string {
  if (by === 'tenant') return by;
  return by + keyText(by === 'subject' ? subjectIn(key) : namespaceIn(key));
}

function startsWith(key: Uint8Array, start: Uint8Array): boolean {
  for (let at = 0; at < start.length; at += 1) if (key[at] !== start[at]) return false;
  return true;
}
