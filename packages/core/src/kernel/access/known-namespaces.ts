/**
 * The namespaces that are known to be stored, so that writes need not look them up. Only an
 * erasure removes one, which is forgotten before the commit that removes it.
 */
import { keyText } from '../../storage/store/bytes.js';
import type { Namespace } from './namespace.js';

/**
 * Most namespaces that are remembered. Beyond it, those of the tenant with the most are forgotten.
 */
const KNOWN_MAX = 16_384;

/** A bounded memory of stored namespaces. */
export class KnownNamespaces {
  readonly #max: number;
  readonly #byTenant = new Map<string, Set<string>>();
  #size = 0;

  constructor(max = KNOWN_MAX) {
    this.#max = max;
  }

  /** Returns true only for a namespace that a commit has stored. */
  has({ tenantId, digest }: Namespace): boolean {
    return this.#byTenant.get(tenantId)?.has(keyText(digest)) === true;
  }

  /** Remembers a namespace after the commit of a transaction that ensured it. */
  add({ tenantId, digest }: Namespace): void {
    if (this.#size >= this.#max) this.#dropLargest();
    const known = this.#byTenant.get(tenantId) ?? new Set();
    this.#byTenant.set(tenantId, known);
    const before = known.size;
    this.#size += known.add(keyText(digest)).size - before;
  }

  /** Forgets the namespaces of a tenant, before one of them is removed. */
  forget(tenantId: string): void {
    this.#size -= this.#byTenant.get(tenantId)?.size ?? 0;
    this.#byTenant.delete(tenantId);
  }

  #dropLargest(): void {
    let largest: [string, Set<string>] | undefined;
    for (const each of this.#byTenant) {
      if (each[1].size > (largest?.[1].size ?? 0)) largest = each;
    }
    if (largest === undefined) return;
    this.#byTenant.delete(largest[0]);
    this.#size -= largest[1].size;
  }
}
