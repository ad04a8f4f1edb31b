/** `queryAuditLogs`: the events of an authority that match every filter, newest first. */
import { aliasOf, defineAccountOperation } from '../operation/define-operation.js';
import { authorityFirstChecks } from '../operation/orders-of-checks.js';
import { auditPage } from './audit-page.js';
import { AuditPage, AuditParameters } from './schema.js';

/** Administrators see their own authority; those of the installation see all, or one tenant. */
export const queryAuditLogs = defineAccountOperation({
  name: 'queryAuditLogs',
  summary: 'Find audit events by type, actor, resource, result, address and time.',
  example: { parameters: {} },
  command: {
    name: 'audit query',
    columns: [
      ...['timestamp', 'event_type', 'result', 'username', 'ip_address', 'action'],
      ...['user_id', 'resource'],
    ],
    examples: [
      'agentkeep audit query --event-type login_failed --limit 20',
      'agentkeep audit query --resource record:01934f2a-7c1b-7000-8000-1234567890ab',
    ],
  },
  tag: 'Audit',
  effect: 'read',
  input: { parameters: AuditParameters },
  output: AuditPage,
  requires: { role: 'Admin' },
  checks: authorityFirstChecks,
  errors: ['tenant_not_found'],
  isHeavy: true,
  handler: (request) => {
    const { runtime, principal, input, nowMs } = request;
    const turn = (): Promise<void> => request.turn();
    return auditPage({ runtime, principal, parameters: input.parameters, nowMs, turn });
  },
});

/** Alias with a shorter path. */
export const queryAudit = aliasOf(queryAuditLogs, 'queryAudit');
