/**
 * How often records of a namespace were removed without a change of the feed, by a sweep or an
 * erasure. Copies of entries that follow the journal learn of it here.
 */
import type { Namespace } from '../access/namespace.js';
import { defineFamily, working } from '../../storage/store/family.js';
import { INSTALLATION } from '../../storage/store/key.js';
import { jsonLayout } from '../../storage/store/fields.js';
import type { ReadTx, WriteTx } from '../../storage/store/store.js';

/** How often a sweep removed records of a namespace. */
export const memoryRemovals = defineFamily({
  name: 'memoryRemovals',
  number: 99,
  key: ['digest'],
  layout: jsonLayout<number>(1),
  sealedBy: null,
  owner: 'scope',
  exported: { not: 'working' },
  erased: 'removed',
  counts: null,
  derived: working,
});

/** A namespace, as far as it says where its entries are. */
type NamespaceLocator = Pick<Namespace, 'tenantId' | 'digest'>;

/** Stands for all namespaces of all tenants. */
const EVERY_NAMESPACE: NamespaceLocator = { tenantId: INSTALLATION, digest: Buffer.alloc(32) };

function countOf(tx: ReadTx, { tenantId, digest }: NamespaceLocator): number {
  return memoryRemovals.get(tx, tenantId, digest) ?? 0;
}

/** Returns a text that changes whenever records of a namespace were removed. */
export function removalsOf(tx: ReadTx, namespace: NamespaceLocator): string {
  return `${String(countOf(tx, namespace))} ${String(countOf(tx, EVERY_NAMESPACE))}`;
}

/** Notes that a record of a namespace was removed. */
export function noteRemoval(tx: WriteTx, namespace: NamespaceLocator): void {
  memoryRemovals.put(tx, countOf(tx, namespace) + 1, namespace.tenantId, namespace.digest);
}

/** Notes that an erasure has removed namespaces, together with what is counted of them here. */
export function noteErasedNamespaces(tx: WriteTx): void {
  noteRemoval(tx, EVERY_NAMESPACE);
}

/** Returns how many erasures have removed what they had to, in all tenants. */
export function erasuresEnded(tx: ReadTx): number {
  return countOf(tx, EVERY_NAMESPACE);
}

/** Stands for all namespaces of one tenant. It is the digest of none. */
export const ALL_OF_TENANT: Uint8Array = Buffer.alloc(32);

/** Returns a number that differs once an erasure in a tenant has begun or ended. */
export function erasureTurn(tx: ReadTx, tenantId: string): number {
  return countOf(tx, { tenantId, digest: ALL_OF_TENANT });
}

/** Notes that an erasure in a tenant begins or ends, so that no state from before is shown. */
export function noteErasureTurn(tx: WriteTx, tenantId: string): void {
  noteRemoval(tx, { tenantId, digest: ALL_OF_TENANT });
}
