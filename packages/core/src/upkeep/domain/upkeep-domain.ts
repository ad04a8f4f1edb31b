/** What works for all domains alike, as a domain itself: its families and operations. */
import { queryAudit, queryAuditLogs } from '../../kernel/audit-log/query-audit-logs.js';
import { verifyAuditChain } from '../../kernel/audit-log/verification/verify-audit-chain.js';
import {
  createRateLimit,
  deleteRateLimit,
  getRateLimit,
  listRateLimits,
  updateRateLimit,
} from '../../kernel/rate-limit-policies/manage-rate-limits.js';
import { exportMemory } from '../export/export-memory.js';
import { getHealth } from '../health/get-health.js';
import { importMemory } from '../import/import-memory.js';
import { getStorageQuota, setStorageQuota } from '../quota/storage-quota.js';
import { createSnapshot, listSnapshots } from '../snapshot/manage-snapshots.js';
import { getSnapshotSchedule } from '../snapshot/schedule/snapshot-scheduler.js';
import { getStats } from '../stats/get-stats.js';
import { defineDomain } from './domain.js';
import { ownFamilies } from './own-families.js';

/** These operations by name. */
const upkeepOperations = {
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

/** Kernel and upkeep. */
export const upkeep = defineDomain({ families: ownFamilies, operations: upkeepOperations });
