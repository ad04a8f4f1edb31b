/** Tenants in the store: an entry for each, and the directory. */
import { eachAs, noteChange } from '../../../kernel/counts/counts.js';
import { refuseErasedTenant } from '../../../kernel/erased/erasure-mark-store.js';
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { isTextId } from '../../../contract/schema/text.js';
import { allOrFirstFailure } from '../../../storage/store/all-or-first-failure.js';
import { defineFamily, oneFor } from '../../../storage/store/family.js';
import { INSTALLATION } from '../../../storage/store/key.js';
import type { ReadTx, WriteTx } from '../../../storage/store/store.js';
import type { Batch, ReadableBatch } from '../../../storage/store/subspace.js';
import {
  fieldsLayout,
  json,
  jsonLayout,
  number,
  spreadOrNull,
  text,
  type ValueOf,
} from '../../../storage/store/fields.js';
import type { TenantRegistration } from './schema.js';

const tenantLayout = fieldsLayout(2, {
  tenantId: text,
  createdAtMillis: number,
  /** Credential id of its first administrator; null while it has none. */
  initialAdminId: json<string | null>(),
  /** The actor of the registration and the display name. Null if a local command created it. */
  registered: spreadOrNull({ by: text, displayName: json<string | null>() }, [null, null]),
});

/** A stored tenant. */
export type StoredTenant = ValueOf<typeof tenantLayout>;

/** Installation: when a tenant was made and who administers it, by tenant id. */
export const tenants = defineFamily({
  name: 'tenants',
  number: 1,
  key: ['text'],
  layout: tenantLayout,
  sealedBy: null,
  owner: 'named_tenant',
  exported: { not: 'authority' },
  erased: 'removed',
  counts: eachAs('tenants'),
});

/** Installation: tenants in directory order, by JSON-encoded tenant id. */
export const tenantDirectory = defineFamily({
  name: 'tenantDirectory',
  number: 35,
  key: ['text'],
  layout: jsonLayout<string>(1),
  sealedBy: null,
  owner: 'value',
  exported: 'derived',
  erased: 'derived',
  counts: null,
  derived: oneFor(tenants),
});

/** Returns the tenant with this id, or `undefined`. Invalid ids return `undefined` too. */
export function findTenant(tx: ReadTx, tenantId: string): StoredTenant | undefined {
  // A client may have sent the id, and it may be longer than any key.
  return isTextId(tenantId) ? tenants.get(tx, INSTALLATION, tenantId) : undefined;
}

/** Returns whether there is a tenant with this id. */
export function hasTenant(tx: ReadTx, tenantId: string): boolean {
  return findTenant(tx, tenantId) !== undefined;
}

/**
 * Stores a new tenant.
 *
 * @throws {AgentkeepError} `erasure_in_progress`
 */
export function insertTenant(tx: WriteTx, tenant: StoredTenant): void {
  refuseErasedTenant(tx, tenant.tenantId);
  noteChange(tx, 'tenants', 1, tenants.put(tx, tenant, INSTALLATION, tenant.tenantId));
  putTenantEntry(tx, tenant.tenantId);
}

/** Stores a changed tenant. */
export function updateTenant(tx: WriteTx, tenant: StoredTenant): void {
  tenants.put(tx, tenant, INSTALLATION, tenant.tenantId);
}

/** Removes a tenant, whose data is erased from then on. */
export function removeTenant(tx: WriteTx, tenantId: string): void {
  const key = tenants.keyOf(INSTALLATION, tenantId);
  noteChange(tx, 'tenants', -1, key);
  tx.remove(key);
  tx.remove(tenantDirectory.keyOf(INSTALLATION, directoryKey(tenantId)));
}

/** Adds a tenant to the directory. */
export function putTenantEntry(tx: WriteTx, tenantId: string): void {
  tenantDirectory.put(tx, tenantId, INSTALLATION, directoryKey(tenantId));
}

/** Returns whether a tenant is in the directory. */
export function hasTenantEntry(tx: ReadTx, tenantId: string): boolean {
  return tenantDirectory.has(tx, INSTALLATION, directoryKey(tenantId));
}

/** Returns a batch of tenants, by id. */
export function storedTenants(tx: ReadTx, batch: Batch): ReadableBatch<StoredTenant> {
  return tenants.readable(tx, INSTALLATION, batch);
}

/**
 * Returns the tenants after one, in the order of the directory.
 *
 * @throws {AgentkeepError} `storage_inconsistency` when a listed tenant is missing.
 */
export function listTenantsAfter(
  tx: ReadTx,
  page: { readonly after: string | undefined; readonly limit: number },
): StoredTenant[] {
  const { after, limit } = page;
  const start: [string] | undefined = after === undefined ? undefined : [directoryKey(after)];
  const tenantIds = tenantDirectory.values(tx, INSTALLATION, { prefix: [], after: start, limit });
  return allOrFirstFailure(tenantIds, (tenantId) => {
    const tenant = findTenant(tx, tenantId);
    if (tenant === undefined) throw new AgentkeepError('storage_inconsistency');
    return tenant;
  });
}

/** Returns the registration of a tenant as it is shown. Null if a local command created it. */
export function showRegistration(tenant: StoredTenant): TenantRegistration | null {
  const { tenantId, createdAtMillis, initialAdminId, registered } = tenant;
  if (registered === null || initialAdminId === null) return null;
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

/** Returns a key that orders the directory by the JSON of ids. */
function directoryKey(tenantId: string): string {
  return JSON.stringify(tenantId);
}
