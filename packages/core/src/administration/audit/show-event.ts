/**
 * Converts a stored event to the document of queries and audit files.
 * @module
 */
import { INSTALLATION } from '../../storage/store/keyspace.js';
import type { AuditMetadata } from '../../runtime/audit/audit.js';
import { timeText } from '../../contract/schema/time.js';
import type { RecordedEvent } from './append-events.js';
import type { AuditEventType } from '../../runtime/audit/event-type.js';
import type { AuditEvent } from './schema.js';

/** Returns the document of an event. */
export function showEvent(event: Omit<RecordedEvent, 'sequence'>): AuditEvent {
  const { authority, recordedAtMillis, fields } = event;
  const [id, type, atMillis, userId, username, action, resource, result, ip, agent, metadata] =
    fields;
  return {
    event_id: id,
    event_type: type,
    timestamp: timeText(atMillis),
    transaction_time: timeText(recordedAtMillis),
    user_id: userId,
    username,
    action,
    resource,
    result,
    ip_address: ip,
    user_agent: agent,
    metadata: { ...metadata },
    tenant_id: authority === INSTALLATION ? triedTenant(type, metadata) : authority,
  };
}

/** Events about a name. They are in the installation's log if the tenant doesn't exist. */
const ofNames: ReadonlySet<AuditEventType> = new Set([
  'login_failed',
  'account_lockout_triggered',
  'account_unlocked',
]);

/** The missing tenant that a login named. */
function triedTenant(type: AuditEventType, { tenant_id: tried }: AuditMetadata): string | null {
  return ofNames.has(type) && typeof tried === 'string' ? tried : null;
}
