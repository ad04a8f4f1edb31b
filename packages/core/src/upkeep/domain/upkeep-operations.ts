/** Operations on the audit log, exports, rate limits, quotas and snapshots. */
import { queryAuditLogs, queryAudit } from '../../kernel/audit-log/query-audit-logs.js';
import { verifyAuditChain } from '../../kernel/audit-log/verification/verify-audit-chain.js';
import { exportMemory } from '../export/export-memory.js';
import { getHealth } from '../health/get-health.js';
import { importMemory } from '../import/import-memory.js';
import { getStorageQuota } from '../quota/get-storage-quota.js';
import { setStorageQuota } from '../quota/set-storage-quota.js';
import {
  createRateLimit,
  deleteRateLimit,
  getRateLimit,
  listRateLimits,
  updateRateLimit,
} from '../../kernel/rate-limit-policies/manage-rate-limits.js';
import { createSnapshot } from '../snapshot/create-snapshot.js';
import { listSnapshots } from '../snapshot/list-snapshots.js';
import { getSnapshotSchedule } from '../snapshot/schedule/get-snapshot-schedule.js';
import { getStats } from '../stats/get-stats.js';

/** These operations by name. */
export const upkeepOperations = {
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
