/** Namespaces in the store: the readable form of each namespace with data. */
import { trailingDigest } from '../../storage/store/key.js';
import { defineFamily } from '../../storage/store/family.js';
import type { ReadTx, WriteTx } from '../../storage/store/store.js';
import { tupleLayout } from '../../storage/store/layouts.js';
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
