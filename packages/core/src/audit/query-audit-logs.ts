/**
 * `queryAuditLogs`: the events of an authority that match every filter, newest first.
 * @module
 */
import { defineOperation } from '../runtime/operation.js';
import { auditPage } from './audit-page.js';
import { AuditPage, AuditParameters } from './schema.js';

/** An administrator sees its own authority; one of the installation sees all, or one tenant. */
export const queryAuditLogs = defineOperation({
  name: 'queryAuditLogs',
  summary: 'Find audit events by type, actor, result, address and time.',
  tag: 'Audit',
  surface: 'account',
  effect: 'read',
  input: { parameters: AuditParameters },
  output: AuditPage,
  requires: { role: 'Admin' },
  checks: ['authority', 'parameters', 'rules'],
  errors: ['invalid_request', 'forbidden', 'tenant_not_found'],
  handler: ({ runtime, principal, input, nowMs, signal }) =>
    auditPage({ runtime, principal, parameters: input.parameters, nowMs, signal }),
});
