/** Operations on the audit log, exports, erasures, limits, quotas and snapshots. */
import { queryAuditLogs, queryAudit } from '../kernel/audit-log/query-audit-logs.js';
import { verifyAuditChain } from '../kernel/audit-log/verification/verify-audit-chain.js';
import { eraseTenant } from '../upkeep/erasure/erase-tenant.js';
import { getErasure } from '../upkeep/erasure/get-erasure.js';
import { getTenantErasure } from '../upkeep/erasure/get-tenant-erasure.js';
import { listErasures } from '../upkeep/erasure/list-erasures.js';
import { startErasure } from '../upkeep/erasure/start-erasure.js';
import { exportMemory } from '../upkeep/export/export-memory.js';
import { getHealth } from '../upkeep/health/get-health.js';
import { importMemory } from '../upkeep/import/import-memory.js';
import { getStorageQuota } from '../upkeep/quota/get-storage-quota.js';
import { setStorageQuota } from '../upkeep/quota/set-storage-quota.js';
import { createRateLimit } from '../kernel/rate-limit-policies/create-rate-limit.js';
import { deleteRateLimit } from '../kernel/rate-limit-policies/delete-rate-limit.js';
import { getRateLimit } from '../kernel/rate-limit-policies/get-rate-limit.js';
import { listRateLimits } from '../kernel/rate-limit-policies/list-rate-limits.js';
import { updateRateLimit } from '../kernel/rate-limit-policies/update-rate-limit.js';
import { listKnownSubjects } from '../upkeep/reach/list-known-subjects.js';
import { listScopeHolders } from '../upkeep/reach/list-scope-holders.js';
import { listScopes } from '../upkeep/reach/list-scopes.js';
import { previewReach } from '../upkeep/reach/preview-reach.js';
import { createSnapshot } from '../upkeep/snapshot/create-snapshot.js';
import { listSnapshots } from '../upkeep/snapshot/list-snapshots.js';
import { getSnapshotSchedule } from '../upkeep/snapshot/schedule/get-snapshot-schedule.js';
import { getStats } from '../upkeep/stats/get-stats.js';

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
