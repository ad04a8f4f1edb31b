/**
 * Tenants in the store: one entry each, made once and never reset.
 * @module
 */
import { noteChange } from '../stats/noted-changes.js';
import { INSTALLATION, keyspace } from '../store/keyspace.js';
import type { ReadTx, WriteTx } from '../store/store.js';
import { Subspace } from '../store/subspace.js';
import { fieldsLayout } from '../store/value.js';

/** What is kept of a tenant. */
export interface StoredTenant {
  readonly tenantId: string;
  readonly createdAtMillis: number;
  /** Id of its first administrator. */
  readonly initialAdminId: string;
}

const tenants = new Subspace(
  keyspace.tenants,
  fieldsLayout<StoredTenant, [string, number, string]>(
    1,
    (it) => [it.tenantId, it.createdAtMillis, it.initialAdminId],
    ([tenantId, createdAtMillis, initialAdminId]) => ({
      tenantId,
      createdAtMillis,
      initialAdminId,
    }),
  ),
);

/** The subspaces of tenants, by their names in the key space. */
export const tenantSubspaces = { tenants };

/** The tenant with this id, if there is one. */
export function findTenant(tx: ReadTx, tenantId: string): StoredTenant | undefined {
  return tenants.get(tx, INSTALLATION, tenantId);
}

/** Stores a new tenant. */
export function insertTenant(tx: WriteTx, tenant: StoredTenant): void {
  noteChange(tx, 'tenants', 1, tenants.put(tx, tenant, INSTALLATION, tenant.tenantId));
}
