/**
 * Stores the namespaces of a tenant.
 *
 * The namespaces that are known to be stored, so that writes need not look them up. Only an
 * erasure removes one, which is forgotten before the commit that removes it.
 */
import { keyText } from '../../storage/store/bytes.js';
import { defineFamily } from '../../storage/store/family.js';
import { trailingDigest } from '../../storage/store/key.js';
import { tupleLayout } from '../../storage/store/fields.js';
import type { ReadTx, WriteTx } from '../../storage/store/store.js';
import type { Namespace, NamespaceParts } from './namespace.js';

/** The readable scope behind a namespace digest. */
export const namespaces = defineFamily({
  name: 'namespaces',
  number: 5,
  key: ['digest'],
  layout: tupleLayout<NamespaceParts>(1),
  sealedBy: 'tenant',
  owner: 'scope',
  exported: { line: 'scope' },
  erased: 'removed',
  counts: null,
  traces: { mayLackNamespace: true },
});

/** Stores the readable form of a namespace, unless it is stored already. */
export function ensureNamespace(tx: WriteTx, { tenantId, digest, parts }: Namespace): void {
  if (namespaces.has(tx, tenantId, digest)) return;
  namespaces.put(tx, parts, tenantId, digest);
}

/** A stored namespace: its digest in keys, and its readable form. */
export interface StoredNamespace {
  readonly digest: Uint8Array;
  readonly parts: NamespaceParts;
}

/** Returns the namespaces of a tenant after a digest, in the order of digests. */
export function namespacesAfter(
  tx: ReadTx,
  tenantId: string,
  { after, limit }: { readonly after: Uint8Array | undefined; readonly limit: number },
): StoredNamespace[] {
  const start: [Uint8Array] | undefined = after === undefined ? undefined : [after];
  const rows = namespaces.rows(tx, tenantId, { prefix: [], after: start, limit });
  return Array.from(rows, ({ key, value: parts }) => ({
    digest: trailingDigest(key),
    parts,
  }));
}

/** Returns the readable form of a stored namespace, or `undefined`. */
export function findNamespace(
  tx: ReadTx,
  tenantId: string,
  digest: Uint8Array,
): NamespaceParts | undefined {
  return namespaces.get(tx, tenantId, digest);
}

/** Removes the readable form of a namespace that has no data any more. */
export function removeNamespace(
  tx: WriteTx,
  { tenantId, digest }: Pick<Namespace, 'tenantId' | 'digest'>,
): void {
  tx.remove(namespaces.keyOf(tenantId, digest));
}

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
