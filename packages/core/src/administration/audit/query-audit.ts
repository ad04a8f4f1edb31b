/**
 * `queryAudit`: the query of `queryAuditLogs` under its shorter path.
 * @module
 */
import { defineOperation } from '../../runtime/operation.js';
import { auditQuery } from './audit-query.js';

/** See {@link auditQuery}. */
export const queryAudit = defineOperation({ name: 'queryAudit', ...auditQuery });
