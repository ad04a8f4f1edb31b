/** The names of audit events and of their results (docs/contract/audit.md#aud-29). */

/** Every type of event. */
export const auditEventTypes = [
  'login',
  'login_failed',
  'logout',
  'session_ended',
  'token_refresh',
  'token_refresh_failed',
  'token_revoked',
  'all_tokens_revoked',
  'api_key_created',
  'api_key_revoked',
  'api_key_used',
  'api_key_validation_failed',
  'user_created',
  'user_updated',
  'user_deleted',
  'user_password_changed',
  'role_assigned',
  'role_removed',
  'permission_denied',
  'access_granted',
  'rate_limit_exceeded',
  'account_lockout_triggered',
  'account_locked',
  'account_unlocked',
  'system_startup',
  'system_shutdown',
  'configuration_changed',
  'snapshot_made',
  'erasure_requested',
  'erasure_finished',
  'retention_applied',
  'data_exported',
  'data_imported',
] as const;

/** A type of event. */
export type AuditEventType = (typeof auditEventTypes)[number];

/** Every result of an audited action. */
export const auditResults = ['success', 'failure', 'unauthorized', 'forbidden', 'error'] as const;

/** A result of an audited action. */
export type AuditResult = (typeof auditResults)[number];
