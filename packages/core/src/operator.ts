/**
 * What a trusted local operator may do. A separate entry, so that nobody exposes it by accident:
 * nothing here asks for a proof.
 * @module
 */
import type { IssuedCredential } from './credential/schema.js';
import { Keep } from './keep.js';
import { bootstrapTenant as bootstrap, type NewTenant } from './tenant/bootstrap-tenant.js';

export type { IssuedCredential, NewTenant };

/**
 * Makes a tenant and its first administrator, whose secret is in the answer and nowhere else.
 * @throws {AgentkeepError} `invalid_request` for ids that break the text rule, `tenant_exists` for a
 * tenant that was made before.
 * @example
 * ```ts
 * import { openKeep, inMemoryStore } from '@agentkeep/core';
 * import { bootstrapTenant } from '@agentkeep/core/operator';
 *
 * await using keep = await openKeep({ store: inMemoryStore() });
 * const { secret } = await bootstrapTenant(keep, { tenantId: 'acme', subjectId: 'ops' });
 * const admin = await keep.authenticate(secret);
 * console.log((await admin.whoAmI()).tenant_id);
 * ```
 */
export function bootstrapTenant(keep: Keep, tenant: NewTenant): Promise<IssuedCredential> {
  return bootstrap(Keep.runtimeOf(keep), tenant);
}
