/**
 * Knows which tenants may have a storage quota, so that writes for others need no look-up. It
 * follows the commits of a store that only this process changes; in a shared store every tenant may
 * have one.
 */
import { keyText } from '../../storage/store/bytes.js';
import type { CommittedWrites, Store } from '../../storage/store/store.js';
import { holderKeys, storageQuotas } from '../stored/quota-store.js';

/**
 * Most tenants that are remembered. With more, every tenant counts as one that may have a quota.
 */
const HOLDERS_MAX = 16_384;

/** The start of the key of a quota: no tenant, and the subspace. */
const PREFIX = String.fromCharCode(0, storageQuotas.number);

/** Tenants are named by the bytes of their part of keys, as text of one character per byte. */
export class QuotaHolders {
  /** `undefined` when every tenant may have a quota. */
  #tenants: Set<string> | undefined;

  /** Reads the quotas of a store. */
  static async of(store: Store): Promise<QuotaHolders> {
    const holders = new QuotaHolders();
    if (store.observe === undefined) return holders;
    store.observe({
      committed: (writes) => {
        holders.#follow(writes);
      },
      // Holders are only ever added, so nothing is out of date.
      failed: () => undefined,
    });
    const keys = await store.read((tx) => holderKeys(tx, HOLDERS_MAX + 1).map(keyText));
    if (keys.length > HOLDERS_MAX) return holders;
    holders.#tenants = new Set(keys.map(tenantIn));
    return holders;
  }

  /** Returns false only for a tenant without a quota, committed or pending. */
  mayHold(tenant: string): boolean {
    return this.#tenants === undefined || this.#tenants.has(tenant);
  }

  /** Notes a write, committed or pending, of a key that belongs to no tenant. */
  note(key: string): void {
    if (this.#tenants === undefined || !key.startsWith(PREFIX)) return;
    this.#tenants.add(tenantIn(key));
    if (this.#tenants.size > HOLDERS_MAX) this.#tenants = undefined;
  }

  #follow(writes: CommittedWrites): void {
    for (const key of writes.keys()) this.note(key);
  }
}

/** Returns the tenant in the key of a quota: the bytes between the subspace and the final zero. */
function tenantIn(key: string): string {
  return key.slice(PREFIX.length, -1);
}
