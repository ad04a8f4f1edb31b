/**
 * Measures, in the body of a transaction, by how much it changes what each tenant with a quota
 * stores. A tenant without a quota costs one look-up in each body that writes for it.
 */
import { asBuffer, copyBytes, keyText } from '../../storage/store/bytes.js';
import { tenantEnd, tenantOfKey } from '../../storage/store/key.js';
import { LAST_POSITION } from '../../storage/store/position.js';
import type { Entry, KeyRange, WriteTx } from '../../storage/store/store.js';
import type { StorageUse } from './quota-policy.js';
import type { QuotaHolders } from './quota-holders.js';
import { findQuota } from '../stored/quota-store.js';

/** A written entry: its size, key and value together, before and after the body. 0 means absent. */
interface Measured {
  readonly key: Uint8Array;
  readonly before: number;
  after: number;
}

/** What a body wrote for one tenant with a quota. */
export class MeasuredWrites {
  readonly tenantId: string;
  readonly #tx: WriteTx;
  readonly #entries = new Map<string, Measured>();

  constructor(tx: WriteTx, tenantId: string) {
    this.#tx = tx;
    this.tenantId = tenantId;
  }

  /** Notes a write before it is made, with the size of the value; without one, it is a removal. */
  note(given: Uint8Array, valueBytes: number | undefined): void {
    const key = this.#storedKey(given);
    const after = valueBytes === undefined ? 0 : key.length + valueBytes;
    const text = keyText(key);
    const known = this.#entries.get(text);
    if (known !== undefined) {
      known.after = after;
      return;
    }
    const value = this.#tx.get(key);
    const before = value === undefined ? 0 : key.length + value.length;
    this.#entries.set(text, { key, before, after });
  }

  /** Notes an appended entry. Its position is still unknown, but is after all stored ones. */
  noteAppended(prefix: Uint8Array, valueBytes: number): void {
    const key = Buffer.concat([prefix, LAST_POSITION]);
    const after = key.length + valueBytes;
    this.#entries.set(`appended ${this.#entries.size}`, { key, before: 0, after });
  }

  /** Removes entries that the body added for this tenant; returns whether there were any. */
  removeAdded(keys: readonly Uint8Array[]): boolean {
    let isAny = false;
    for (const given of keys) {
      const key = this.#storedKey(given);
      const known = this.#entries.get(keyText(key));
      if (known === undefined || known.after === 0) continue;
      known.after = 0;
      this.#tx.remove(key);
      isAny = true;
    }
    return isAny;
  }

  /** The key that a walk through the store finds, whose size counts. */
  #storedKey(key: Uint8Array): Uint8Array {
    return this.#tx.storedKey?.(key) ?? key;
  }

  /** Returns what was added, net, before a key; null means everywhere. */
  addedBefore(end: Uint8Array | null): StorageUse {
    let entries = 0;
    let bytes = 0;
    for (const { key, before, after } of this.#entries.values()) {
      if (end !== null && Buffer.compare(key, end) >= 0) continue;
      entries += Math.sign(after) - Math.sign(before);
      bytes += after - before;
    }
    return { entries, bytes };
  }
}

/** A transaction that measures what a body writes for tenants with a quota. */
export class Meter implements WriteTx {
  readonly #tx: WriteTx;
  readonly #holders: QuotaHolders | undefined;
  #isIdle = true;
  /** By the tenant part of keys; null for tenants without a quota. */
  readonly #tenants = new Map<string, MeasuredWrites | null>();

  /** Without `holders`, every tenant may have a quota. */
  constructor(tx: WriteTx, holders?: QuotaHolders) {
    this.#tx = tx;
    this.#holders = holders;
  }

  /** Returns the key under which an entry is stored. */
  storedKey(key: Uint8Array): Uint8Array {
    return this.#tx.storedKey?.(key) ?? key;
  }

  /** The notes of the transaction. */
  get notes(): object[] {
    return this.#tx.notes;
  }

  /** Returns the value of a key. */
  get(key: Uint8Array): Uint8Array | undefined {
    return this.#tx.get(key);
  }

  /** Returns the entries of a span. */
  range(range: KeyRange): Iterable<Entry> {
    return this.#tx.range(range);
  }

  /** Stores a value. */
  put(key: Uint8Array, value: Uint8Array): void {
    const tenant = this.#measuredTenant(key);
    if (tenant === undefined) {
      this.#tx.put(key, value);
      return;
    }
    // A look-up may overwrite borrowed bytes.
    const own = { key: copyBytes(key), value: copyBytes(value) };
    this.#writesOf(tenant, own.key)?.note(own.key, value.length);
    this.#tx.put(own.key, own.value);
  }

  /** Removes a key. */
  remove(key: Uint8Array): void {
    const tenant = this.#measuredTenant(key);
    if (tenant === undefined) {
      this.#tx.remove(key);
      return;
    }
    const own = copyBytes(key);
    this.#writesOf(tenant, own)?.note(own, undefined);
    this.#tx.remove(own);
  }

  /** Stores a value after the entries with a prefix. */
  append(prefix: Uint8Array, value: Uint8Array): void {
    const tenant = this.#measuredTenant(prefix);
    if (tenant === undefined) {
      this.#tx.append(prefix, value);
      return;
    }
    const own = { prefix: copyBytes(prefix), value: copyBytes(value) };
    this.#writesOf(tenant, own.prefix)?.noteAppended(own.prefix, value.length);
    this.#tx.append(own.prefix, own.value);
  }

  /** Whether nothing was written for any tenant with a quota. */
  get isIdle(): boolean {
    return this.#isIdle;
  }

  /** What was written for each tenant with a quota. */
  get measured(): MeasuredWrites[] {
    return Array.from(this.#tenants.values()).filter((writes) => writes !== null);
  }

  /** Returns the tenant part of a key that is to be measured. */
  #measuredTenant(key: Uint8Array): string | undefined {
    if (key[0] === 0) {
      this.#holders?.note(keyText(key));
      return undefined;
    }
    const tenant = tenantPart(key);
    if (tenant === '' || this.#tenants.get(tenant) === null) return undefined;
    if (this.#holders?.mayHold(tenant) !== false) return tenant;
    // A quota that the body itself stores later counts nothing from before.
    this.#tenants.set(tenant, null);
    return undefined;
  }

  #writesOf(tenant: string, key: Uint8Array): MeasuredWrites | null {
    const known = this.#tenants.get(tenant);
    if (known !== undefined) return known;
    const tenantId = tenantOfKey(key);
    const hasQuota = findQuota(this.#tx, tenantId) !== undefined;
    const writes = hasQuota ? new MeasuredWrites(this.#tx, tenantId) : null;
    if (hasQuota) this.#isIdle = false;
    this.#tenants.set(tenant, writes);
    return writes;
  }
}

/** Returns the encoded tenant of a key; empty for keys of the installation. */
function tenantPart(key: Uint8Array): string {
  return asBuffer(key).toString('latin1', 0, Math.max(0, tenantEnd(key)));
}
