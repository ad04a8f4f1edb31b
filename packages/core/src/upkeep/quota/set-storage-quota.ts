/** `setStorageQuota`: sets, changes or removes the storage quota of a tenant. */
import { countUse } from './use-counter.js';
import { hasTenant } from '../../kernel/ports/known-callers.js';
import { exampleVersion } from '../../contract/example-values.js';
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import { textId } from '../../contract/schema/text.js';
import { defineInstallationOperation } from '../../kernel/operation/define-operation.js';
import { installationChecks } from '../../kernel/operation/orders-of-checks.js';
import type { WriteTx } from '../../storage/store/store.js';
import { firstKeyOf } from './count-use.js';
import { isBounded, type QuotaLimits } from './quota-policy.js';
import { findQuota, putQuota, removeQuota, type StoredQuota } from '../stored/quota-store.js';
import { StorageQuotaRequest, StorageQuotaResponse } from './schema.js';
import { quotaChanged, showQuota } from './show-quota.js';

/** Replaces the whole quota. A first quota starts the count of what the tenant holds. */
export const setStorageQuota = defineInstallationOperation({
  name: 'setStorageQuota',
  summary: 'Set or remove the storage quota of a tenant.',
  example: { id: 'acme', document: { ...exampleVersion, max_entries: 1_000_000, max_bytes: null } },
  command: {
    name: 'tenants set-quota',
    examples: ['agentkeep tenants set-quota acme --max-entries 1000000 --max-bytes 5000000000'],
  },
  tag: 'Administration',
  input: { id: textId(), document: StorageQuotaRequest },
  output: StorageQuotaResponse,
  requires: 'tenant_admin',
  checks: installationChecks,
  errors: ['tenant_not_found', 'revision_conflict'],
  handler: async (request) => {
    const { runtime, input } = request;
    const { id: tenantId, document } = input;
    const limits = { maxEntries: document.max_entries, maxBytes: document.max_bytes };
    const stored = await runtime.store.transact((tx) => {
      request.confirm(tx);
      if (!hasTenant.of(runtime)(tx, tenantId)) throw new AgentkeepError('tenant_not_found');
      const before = findQuota(tx, tenantId);
      const after = storeLimits(tx, tenantId, { before, limits });
      if (isChanged(before, after)) {
        const event = quotaChanged(tenantId, before, after);
        request.record(tx, event);
        request.recordIn(tx, tenantId, event);
      }
      return after;
    });
    if (stored !== undefined && stored.countedTo !== null) countUse.of(runtime)(tenantId);
    return showQuota(tenantId, stored);
  },
});

/** Keeps the use that is counted already. */
function storeLimits(
  tx: WriteTx,
  tenantId: string,
  { before, limits }: { readonly before: StoredQuota | undefined; readonly limits: QuotaLimits },
): StoredQuota | undefined {
  if (!isBounded(limits)) {
    removeQuota(tx, tenantId);
    return undefined;
  }
  const uncounted = { tenantId, entries: 0, bytes: 0, countedTo: firstKeyOf(tenantId) };
  const after = { ...(before ?? uncounted), ...limits };
  putQuota(tx, after);
  return after;
}

function isChanged(before: QuotaLimits | undefined, after: QuotaLimits | undefined): boolean {
  return before?.maxEntries !== after?.maxEntries || before?.maxBytes !== after?.maxBytes;
}
