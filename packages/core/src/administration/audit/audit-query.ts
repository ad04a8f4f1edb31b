/**
 * The query of audit events, shared by the two operations that answer it.
 * @module
 */
import type { AuthenticatedOperation } from '../../runtime/operation.js';
import { auditPage } from './audit-page.js';
import { AuditPage, AuditParameters } from './schema.js';

/** What a query of audit events reads. */
export interface AuditQueryInput {
  readonly parameters: typeof AuditParameters;
}

type AuditQuery = AuthenticatedOperation<AuditQueryInput, typeof AuditPage>;

/** Administrators see their own authority; those of the installation see all, or one tenant. */
export const auditQuery: Omit<AuditQuery, 'name' | 'access'> = {
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
};
