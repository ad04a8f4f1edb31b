/**
 * A draft of an audit event for tests.
 */
import type { AuditDraft } from '../src/kernel/audit/audit.js';

/** Creates a draft of an event, by default of the tenant `acme`. */
export function auditDraft(
  members: Pick<AuditDraft, 'id' | 'atMillis'> & Partial<AuditDraft>,
): AuditDraft {
  return {
    type: 'access_granted',
    tenantId: 'acme',
    userId: null,
    username: 'ann',
    action: 'a',
    resource: 'r',
    result: 'success',
    ipAddress: null,
    userAgent: null,
    metadata: {},
    ...members,
  };
}
