/**
 * `queryAuditLogs`: the events of an authority that match every filter, newest first.
 * @module
 */
import { defineOperation } from '../../runtime/operation.js';
import { auditQuery } from './audit-query.js';

/** See {@link auditQuery}. */
export const queryAuditLogs = defineOperation({ name: 'queryAuditLogs', ...auditQuery });
