/** Storage quotas as answers and events show them. */
import { CONTRACT_VERSION } from '../../contract/version.js';
import type { EventSubject } from '../../kernel/audit/call-events.js';
import type { QuotaLimits } from './quota-policy.js';
import type { StoredQuota } from '../stored/quota-store.js';
import type { StorageQuotaResponse } from './schema.js';

/** Returns the answer for a tenant, with or without a quota. */
export function showQuota(tenantId: string, quota: StoredQuota | undefined): StorageQuotaResponse {
  return {
    contract_version: CONTRACT_VERSION,
    tenant_id: tenantId,
    quota: showLimits(quota),
    use: quota === undefined ? null : showUse(quota),
  };
}

/** Returns the event of a quota that was set, changed or removed. */
export function quotaChanged(
  tenantId: string,
  before: QuotaLimits | undefined,
  after: QuotaLimits | undefined,
): EventSubject {
  return {
    type: 'configuration_changed',
    action: 'configuration_changed',
    resource: `storage_quota:${tenantId}`,
    result: 'success',
    metadata: {
      change: before === undefined ? 'created' : after === undefined ? 'deleted' : 'updated',
      before: before === undefined ? null : showLimits(before),
      after: after === undefined ? null : showLimits(after),
    },
  };
}

function showLimits(limits: QuotaLimits | undefined) {
  return { max_entries: limits?.maxEntries ?? null, max_bytes: limits?.maxBytes ?? null };
}

function showUse({ entries, bytes, countedTo }: StoredQuota) {
  return { entries, bytes, is_complete: countedTo === null };
}
