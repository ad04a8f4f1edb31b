/** The names of events and results, which the compiler compares with those of the contract. */
import type { Agent } from '@agentkeep/client';

/** An event of the audit log. */
export type AuditEvent = Awaited<ReturnType<Agent['audit']['queryPage']>>['events'][number];

const types: Readonly<Record<AuditEvent['event_type'], true>> = {
  login: true,
  login_failed: true,
  logout: true,
  session_ended: true,
  token_refresh: true,
  token_refresh_failed: true,
  token_revoked: true,
  all_tokens_revoked: true,
  api_key_created: true,
  api_key_revoked: true,
  api_key_used: true,
  api_key_validation_failed: true,
  user_created: true,
  user_updated: true,
  user_deleted: true,
  user_password_changed: true,
  role_assigned: true,
  role_removed: true,
  permission_denied: true,
  access_granted: true,
  rate_limit_exceeded: true,
  account_lockout_triggered: true,
  account_locked: true,
  account_unlocked: true,
  system_startup: true,
  system_shutdown: true,
  configuration_changed: true,
  snapshot_made: true,
  erasure_requested: true,
  erasure_finished: true,
  retention_applied: true,
  data_exported: true,
  data_imported: true,
};

const results: Readonly<Record<AuditEvent['result'], true>> = {
  success: true,
  failure: true,
  unauthorized: true,
  forbidden: true,
  error: true,
};

/** Every type of event. */
export const eventTypes = Object.keys(types) as AuditEvent['event_type'][];

/** Every result. */
export const eventResults = Object.keys(results) as AuditEvent['result'][];

/** Returns the name of a type as people read it. */
export function typeText(type: string): string {
  const words = type.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
