/** What works for all domains alike, as a domain itself: its families and operations. */
import { defineDomain } from './domain.js';
import * as namespaceStore from '../../kernel/access/namespace.js';
import * as auditStore from '../../kernel/audit-log/audit-store.js';
import * as queryAuditLogs from '../../kernel/audit-log/query-audit-logs.js';
import * as verifyAuditChain from '../../kernel/audit-log/verification/verify-audit-chain.js';
import * as erasedSubjectStore from '../../kernel/erased/erased-subject-store.js';
import * as erasureMarkStore from '../../kernel/erased/erasure-mark-store.js';
import * as removalStore from '../../kernel/erased/removal-store.js';
import * as levelStore from '../../kernel/installation/level-store.js';
import * as markerStore from '../../kernel/installation/marker-store.js';
import * as manageRateLimits from '../../kernel/rate-limit-policies/manage-rate-limits.js';
import * as rateLimitStore from '../../kernel/rate-limit-policies/rate-limit-store.js';
import * as durableIds from '../../kernel/ports/ids.js';
import * as tenantMarks from '../../storage/sealing/tenant-marks.js';
import * as position from '../../storage/store/position.js';
import * as exportMemory from '../export/export-memory.js';
import * as getHealth from '../health/get-health.js';
import * as importMemory from '../import/import-memory.js';
import * as storageQuota from '../quota/storage-quota.js';
import * as tenantUse from '../quota/tenant-use.js';
import * as manageSnapshots from '../snapshot/manage-snapshots.js';
import * as manageSchedule from '../snapshot/schedule/manage-schedule.js';
import * as getStats from '../stats/get-stats.js';
import * as erasureStore from '../stored/erasure-store.js';
import * as quotaStore from '../stored/quota-store.js';
import * as tallyStore from '../stored/tally-store.js';

/** Kernel and upkeep. */
export const upkeep = defineDomain({
  modules: [
    namespaceStore,
    auditStore,
    queryAuditLogs,
    verifyAuditChain,
    erasedSubjectStore,
    erasureMarkStore,
    removalStore,
    levelStore,
    markerStore,
    manageRateLimits,
    rateLimitStore,
    durableIds,
    tenantMarks,
    position,
    exportMemory,
    getHealth,
    importMemory,
    storageQuota,
    tenantUse,
    manageSnapshots,
    manageSchedule,
    getStats,
    erasureStore,
    quotaStore,
    tallyStore,
  ],
});
