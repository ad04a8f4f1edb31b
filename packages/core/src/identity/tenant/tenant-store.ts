/**
 * Tenants in the store: one entry each, made once and never reset, and the order of their
 * directory.
 *
 * @module
 */
import { noteChange } from '../../runtime/counts/noted-changes.js';
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import { isTextId } from '../../contract/schema/text.js';
import { INSTALLATION, keyspace } from '../../storage/store/keyspace.js';
import type { ReadTx, WriteTx } from '../../storage/store/store.js';
import { type Batch, type ReadableBatch, Subspace } from '../../storage/store/subspace.js';
import { fieldsLayout } from '../../storage/store/value.js';
import type { TenantRegistration } from './schema.js';

/** What is kept of a tenant. */
export interface StoredTenant {
  readonly tenantId: string;
  readonly createdAtMillis: number;
  /** Id of its first administrator. */
  readonly initialAdminId: string;
  /** Who registered it, and under which name; null for one that a local command made. */
  readonly registered: { readonly by: string; readonly displayName: string | null } | null;
}

type Fields = [
  tenantId: string,
  createdAtMillis: number,
  initialAdminId: string,
  registeredBy: string | null,
  displayName: string | null,
];

const tenants = new Subspace(
  keyspace.tenants,
  fieldsLayout<StoredTenant, Fields>(
    2,
    (it) => [
      it.tenantId,
      it.createdAtMillis,
      it.initialAdminId,
      it.registered?.by ?? null,
      it.registered?.displayName ?? null,
    ],
    ([tenantId, createdAtMillis, initialAdminId, by, displayName]) => ({
      tenantId,
      createdAtMillis,
      initialAdminId,
      registered: by === null ? null : { by, displayName },
    }),
  ),
);

const directory = new Subspace(
  keyspace.tenantDirectory,
  fieldsLayout<string, [tenantId: string]>(
    1,
    (tenantId) => [tenantId],
    ([tenantId]) => tenantId,
  ),
);

/** The subspaces of tenants, by their names in the key space. */
export const tenantSubspaces = { tenants, tenantDirectory: directory };

/** The tenant with this id, if there is one; whatever breaks the text rule is no id of any. */
export function findTenant(tx: ReadTx, tenantId: string): StoredTenant | undefined {
  // Some callers hand in what a client sent, and that can be longer than any key.
  return isTextId(tenantId) ? tenants.get(tx, INSTALLATION, tenantId) : undefined;
}

/** Whether there is a tenant with this id. */
export function hasTenant(tx: ReadTx, tenantId: string): boolean {
  return findTenant(tx, tenantId) !== undefined;
}

/** Stores a new tenant. */
export function insertTenant(tx: WriteTx, tenant: StoredTenant): void {
  noteChange(tx, 'tenants', 1, tenants.put(tx, tenant, INSTALLATION, tenant.tenantId));
  putTenantEntry(tx, tenant.tenantId);
}

/** Gives a tenant its place in the directory. */
export function putTenantEntry(tx: WriteTx, tenantId: string): void {
  directory.put(tx, tenantId, INSTALLATION, directoryKey(tenantId));
}

/** Whether a tenant has its place in the directory. */
export function hasTenantEntry(tx: ReadTx, tenantId: string): boolean {
  return directory.has(tx, INSTALLATION, directoryKey(tenantId));
}

/** Tenants by id, as they are stored, a piece at a time. */
export function storedTenants(tx: ReadTx, batch: Batch): ReadableBatch<StoredTenant> {
  return tenants.readable(tx, INSTALLATION, batch);
}

/**
 * Tenants in the order of the directory, from behind one.
 *
 * @throws {AgentkeepError} `storage_inconsistency` when one that is listed is not there.
 */
export function listTenantsAfter(
  tx: ReadTx,
  page: { readonly after: string | undefined; readonly limit: number },
): StoredTenant[] {
  const { after, limit } = page;
  const start = after === undefined ? {} : { after: [directoryKey(after)] as [string] };
  const rows = [...directory.rows(tx, INSTALLATION, { prefix: [], limit, ...start })];
  return rows.map(({ value: tenantId }) => {
    const tenant = findTenant(tx, tenantId);
    if (tenant === undefined) throw new AgentkeepError('storage_inconsistency');
    return tenant;
  });
}

/** How a tenant was registered, as answers tell it. */
export function showRegistration(tenant: StoredTenant): TenantRegistration | null {
  const { tenantId, createdAtMillis, initialAdminId, registered } = tenant;
  if (registered === null) return null;
  const { by, displayName } = registered;
  return {
    schema_version: 1,
    tenant_id: tenantId,
    ...(displayName === null ? {} : { display_name: displayName }),
    created_at_millis: createdAtMillis,
    created_by: by,
    initial_admin_id: initialAdminId,
  };
}

/** The directory goes by ids as JSON writes them. */
function directoryKey(tenantId: string): string {
  return JSON.stringify(tenantId);
}
