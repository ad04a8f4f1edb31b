/**
 * Shows a stored event as the document that queries answer with and files hold.
 * @module
 */
import { INSTALLATION } from '../store/keyspace.js';
import { timeText } from '../schema/time.js';
import type { RecordedEvent } from './append-events.js';
import type { AuditEvent } from './schema.js';

/** The document of an event. */
export function showEvent({ authority, recordedAtMillis, fields }: RecordedEvent): AuditEvent {
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
    tenant_id: authority === INSTALLATION ? null : authority,
  };
}
