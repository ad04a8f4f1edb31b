/** Converts a stored event to the document of queries and audit files. */
import { INSTALLATION } from '../../storage/store/key.js';
import { timeText } from '../../contract/schema/time.js';
import type { RecordedEvent } from './append-events.js';
import type { AuditEventType } from '../audit/event-type.js';
import { type EventFields, memberOf } from './event-fields.js';
import type { AuditEvent } from './schema.js';

/** Returns the document of an event. */
export function showEvent(event: Omit<RecordedEvent, 'sequence'>): AuditEvent {
  const { authority, recordedAtMillis, fields } = event;
  return {
    event_id: memberOf(fields, 'id'),
    event_type: memberOf(fields, 'type'),
    timestamp: timeText(memberOf(fields, 'atMillis')),
    transaction_time: timeText(recordedAtMillis),
    user_id: memberOf(fields, 'userId'),
    username: memberOf(fields, 'username'),
    action: memberOf(fields, 'action'),
    resource: memberOf(fields, 'resource'),
    result: memberOf(fields, 'result'),
    ip_address: memberOf(fields, 'ipAddress'),
    user_agent: memberOf(fields, 'userAgent'),
    metadata: { ...memberOf(fields, 'metadata') },
    tenant_id: authority === INSTALLATION ? triedTenant(fields) : authority,
  };
}

/** Events about a name. They are in the installation's log if the tenant doesn't exist. */
const ofNames: ReadonlySet<AuditEventType> = new Set([
  'login_failed',
  'account_lockout_triggered',
  'account_unlocked',
]);

/** Returns the missing tenant that a login named, or null. */
function triedTenant(fields: EventFields): string | null {
  const { tenant_id: tried } = memberOf(fields, 'metadata');
  return ofNames.has(memberOf(fields, 'type')) && typeof tried === 'string' ? tried : null;
}
