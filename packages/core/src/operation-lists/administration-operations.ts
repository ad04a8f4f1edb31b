/** Operations on the audit log, exports, erasures, limits, quotas and snapshots. */
import { queryAuditLogs, queryAudit } from '../administration/audit/query-audit-logs.js';
import { verifyAuditChain } from '../administration/audit/verification/verify-audit-chain.js';
import { eraseTenant } from '../administration/erasure/erase-tenant.js';
import { getErasure } from '../administration/erasure/get-erasure.js';
import { getTenantErasure } from '../administration/erasure/get-tenant-erasure.js';
import { listErasures } from '../administration/erasure/list-erasures.js';
import { startErasure } from '../administration/erasure/start-erasure.js';
import { exportMemory } from '../administration/export/export-memory.js';
import { getHealth } from '../administration/health/get-health.js';
import { importMemory } from '../administration/import/import-memory.js';
import { getStorageQuota } from '../administration/quota/get-storage-quota.js';
import { setStorageQuota } from '../administration/quota/set-storage-quota.js';
import { createRateLimit } from '../administration/rate-limit/create-rate-limit.js';
import { deleteRateLimit } from '../administration/rate-limit/delete-rate-limit.js';
import { getRateLimit } from '../administration/rate-limit/get-rate-limit.js';
import { listRateLimits } from '../administration/rate-limit/list-rate-limits.js';
import { updateRateLimit } from '../administration/rate-limit/update-rate-limit.js';
import { listKnownSubjects } from '../administration/reach/list-known-subjects.js';
import { listScopeHolders } from '../administration/reach/list-scope-holders.js';
import { listScopes } from '../administration/reach/list-scopes.js';
import { previewReach } from '../administration/reach/preview-reach.js';
import { createSnapshot } from '../administration/snapshot/create-snapshot.js';
import { listSnapshots } from '../administration/snapshot/list-snapshots.js';
import { getSnapshotSchedule } from '../administration/snapshot/schedule/get-snapshot-schedule.js';
import { getStats } from '../administration/stats/get-stats.js';

/** These operations by name. */
export const administrationOperations = {
  listScopes,
  listKnownSubjects,
  listScopeHolders,
  previewReach,
  startErasure,
  getErasure,
  listErasures,
  eraseTenant,
  getTenantErasure,
  exportMemory,
  importMemory,
  getHealth,
  queryAuditLogs,
  queryAudit,
  verifyAuditChain,
  listRateLimits,
  createRateLimit,
  getRateLimit,
  updateRateLimit,
  deleteRateLimit,
  createSnapshot,
  listSnapshots,
  getSnapshotSchedule,
  getStats,
  getStorageQuota,
  setStorageQuota,
} as const;
