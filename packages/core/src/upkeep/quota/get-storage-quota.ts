/** `getStorageQuota`: shows the storage quota of a tenant and what it uses. */
import { countUse } from './use-counter.js';
import { hasTenant } from '../../kernel/ports/known-callers.js';
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import { textId } from '../../contract/schema/text.js';
import { defineInstallationOperation } from '../../kernel/operation/define-operation.js';
import { installationChecks } from '../../kernel/operation/orders-of-checks.js';
import { findQuota } from '../stored/quota-store.js';
import { StorageQuotaResponse } from './schema.js';
import { showQuota } from './show-quota.js';

/** Takes constant time: the use is stored, not counted. */
export const getStorageQuota = defineInstallationOperation({
  name: 'getStorageQuota',
  summary: 'Show the storage quota of a tenant, and what it uses.',
  example: { id: 'acme' },
  command: { name: 'tenants quota' },
  tag: 'Administration',
  effect: 'read',
  input: { id: textId() },
  output: StorageQuotaResponse,
  requires: 'tenant_inspect',
  checks: installationChecks,
  errors: ['tenant_not_found'],
  handler: async ({ runtime, input }) => {
    const { id: tenantId } = input;
    const found = await runtime.store.read((tx) => {
      if (!hasTenant.of(runtime)(tx, tenantId)) throw new AgentkeepError('tenant_not_found');
      return findQuota(tx, tenantId);
    });
    // Another server may have been stopped while it counted.
    if (found !== undefined && found.countedTo !== null) countUse.of(runtime)(tenantId);
    return showQuota(tenantId, found);
  },
});
