/**
 * Namespaces in the store: the readable form of each one that holds anything.
 *
 * @module
 */
import { keyspace } from '../storage/store/keyspace.js';
import type { WriteTx } from '../storage/store/store.js';
import { Subspace } from '../storage/store/subspace.js';
import { fieldsLayout } from '../storage/store/value.js';
import type { Namespace, NamespaceParts } from './namespace.js';

const namespaces = new Subspace(
  keyspace.namespaces,
  fieldsLayout<NamespaceParts, NamespaceParts>(
    1,
    (parts) => parts,
    (parts) => parts,
  ),
);

/** The subspace of namespaces, by its name in the key space. */
export const namespaceSubspaces = { namespaces };

/** Keeps the readable form of a namespace beside the first thing that is stored in it. */
export function ensureNamespace(tx: WriteTx, { tenantId, digest, parts }: Namespace): void {
  if (namespaces.has(tx, tenantId, digest)) return;
  namespaces.put(tx, parts, tenantId, digest);
}
