/** `inspectTenant`: returns a tenant and its registration. */
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { defineInstallationOperation } from '../../../kernel/operation/define-operation.js';
import { installationChecks } from '../../../kernel/operation/orders-of-checks.js';
import { textId } from '../../../contract/schema/text.js';
import { CONTRACT_VERSION } from '../../../contract/version.js';
import { TenantResponse } from './schema.js';
import { findTenant, showRegistration } from './tenant-store.js';

/** A tenant that a local command created has no registration. */
export const inspectTenant = defineInstallationOperation({
  name: 'inspectTenant',
  summary: 'Show one tenant.',
  example: { id: 'acme' },
  command: { name: 'tenants show' },
  tag: 'Administration',
  effect: 'read',
  input: { id: textId() },
  output: TenantResponse,
  requires: 'tenant_inspect',
  checks: installationChecks,
  errors: ['tenant_not_found'],
  handler: ({ runtime, input }) =>
    runtime.store.read((tx) => {
      const tenant = findTenant(tx, input.id);
      if (tenant === undefined) throw new AgentkeepError('tenant_not_found');
      return {
        contract_version: CONTRACT_VERSION,
        tenant_id: tenant.tenantId,
        registration: showRegistration(tenant),
      };
    }),
});
