/**
 * How often a sweep removed records of a namespace. Removals are no changes of the feed, so copies
 * of entries that follow the journal learn of them here.
 */
import type { Namespace } from '../../access/namespace.js';
import { keyspace } from '../../storage/store/keyspace.js';
import { jsonLayout } from '../../storage/store/layouts.js';
import type { ReadTx, WriteTx } from '../../storage/store/store.js';
import { Subspace } from '../../storage/store/subspace.js';

const removals = new Subspace(keyspace.memoryRemovals, jsonLayout<number>(1));

/** The subspace of removals, by its name in the key space. */
export const removalSubspaces = { memoryRemovals: removals };

/** Returns how often records of a namespace were removed. */
export function removalsOf(
  tx: ReadTx,
  { tenantId, digest }: Pick<Namespace, 'tenantId' | 'digest'>,
): number {
  return removals.get(tx, tenantId, digest) ?? 0;
}

/** Notes that a record of a namespace was removed. */
export function noteRemoval(tx: WriteTx, namespace: Pick<Namespace, 'tenantId' | 'digest'>): void {
  const { tenantId, digest } = namespace;
  removals.put(tx, removalsOf(tx, namespace) + 1, tenantId, digest);
}
