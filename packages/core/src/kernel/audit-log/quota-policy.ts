/**
 * The quotas of the audit log. Each authority keeps a number of events in each of them, so that
 * events of one quota never remove those of another (docs/contract/audit.md#aud-76).
 */
import type { AuditDraft } from '../audit/audit.js';
import type { AuditEventType } from '../audit/event-type.js';

/** The names of the quotas, in the order in which heads store them. */
export const auditQuotas = ['changes', 'writes', 'logins', 'calls'] as const;

/**
 * The quota that an event counts against: `changes` of authority, accounts and settings; passed
 * checks of `writes`; failed `logins` and the locks that they cause; all other `calls`, which are
 * refusals and routine reads.
 */
export type AuditQuota = (typeof auditQuotas)[number];

/** The quota of each type of event. A new type without one doesn't compile. */
const quotas: Readonly<Record<AuditEventType, AuditQuota>> = {
  login: 'changes',
  login_failed: 'logins',
  logout: 'changes',
  session_ended: 'changes',
  token_refresh: 'changes',
  token_refresh_failed: 'calls',
  token_revoked: 'changes',
  all_tokens_revoked: 'changes',
  api_key_created: 'changes',
  api_key_revoked: 'changes',
  api_key_used: 'calls',
  api_key_validation_failed: 'calls',
  user_created: 'changes',
  user_updated: 'changes',
  user_deleted: 'changes',
  user_password_changed: 'changes',
  role_assigned: 'changes',
  role_removed: 'changes',
  permission_denied: 'calls',
  access_granted: 'writes',
  rate_limit_exceeded: 'calls',
  account_lockout_triggered: 'logins',
  account_locked: 'changes',
  account_unlocked: 'changes',
  system_startup: 'changes',
  system_shutdown: 'changes',
  configuration_changed: 'changes',
  snapshot_made: 'changes',
  erasure_requested: 'changes',
  erasure_finished: 'changes',
  retention_applied: 'changes',
  data_exported: 'changes',
  data_imported: 'writes',
};

/** Returns the quota of an event. */
export function quotaOf({
  type,
  result,
  metadata,
  isRoutine,
}: Pick<AuditDraft, 'type' | 'result' | 'metadata' | 'isRoutine'>): AuditQuota {
  if (isRoutine === true) return 'calls';
  // A refused request for an account has the type of an accepted one.
  if (type === 'user_created' && result !== 'success') return 'calls';
  // Failed logins cause the lock, so its end belongs to their quota.
  if (type === 'account_unlocked' && metadata['cause'] === 'expired') return 'logins';
  return quotas[type];
}
