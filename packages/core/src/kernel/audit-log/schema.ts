/** Documents of the audit log (docs/contract/audit.md). */
import * as v from 'valibot';
import { AUDIT_LIMIT_DEFAULT, AUDIT_LIMIT_MAX, CURSOR_CHARS_MAX } from '../../contract/limits.js';
import { closed, jsonObject } from '../../contract/schema/document.js';
import { describedAs, named } from '../../contract/schema/json-schema.js';
import { integer } from '../../contract/schema/number.js';
import { textId } from '../../contract/schema/text.js';
import { isTimeText, shownTime } from '../../contract/schema/time.js';
import { uuid } from '../../contract/schema/uuid.js';
import { auditEventTypes, auditResults } from '../audit/event-type.js';

/** A type of event. */
const AuditEventTypeName = v.pipe(v.picklist(auditEventTypes), named('AuditEventType'));

/** The outcome of the recorded action. */
const AuditResultName = v.pipe(v.picklist(auditResults), named('AuditResult'));

/** One event. Members that do not apply are null. */
export const AuditEvent = v.pipe(
  closed({
    event_id: uuid(),
    event_type: AuditEventTypeName,
    timestamp: shownTime(),
    transaction_time: shownTime(),
    user_id: v.nullable(v.string()),
    username: v.nullable(v.string()),
    action: v.string(),
    resource: v.string(),
    result: AuditResultName,
    ip_address: v.nullable(v.string()),
    user_agent: v.nullable(v.string()),
    metadata: jsonObject(),
    tenant_id: v.nullable(v.string()),
  }),
  named('AuditEvent'),
);
export type AuditEvent = v.InferOutput<typeof AuditEvent>;

/** A page of events, newest first. */
export const AuditPage = v.pipe(
  closed({
    events: v.pipe(v.array(AuditEvent), v.maxLength(AUDIT_LIMIT_MAX)),
    count: integer(0, AUDIT_LIMIT_MAX),
    limit: integer(0, AUDIT_LIMIT_MAX),
    next_cursor: v.nullable(v.string()),
  }),
  named('AuditPage'),
);
export type AuditPage = v.InferOutput<typeof AuditPage>;

const time = () =>
  v.pipe(
    v.custom<string>(
      (value) => typeof value === 'string' && isTimeText(value),
      'an RFC 3339 time with a zone',
    ),
    describedAs({
      type: 'string',
      format: 'date-time',
      description: 'RFC 3339 with a zone; inclusive.',
    }),
  );

const limit = () =>
  v.pipe(
    integer(),
    v.transform((value) => Math.min(value, AUDIT_LIMIT_MAX)),
    describedAs({
      type: 'integer',
      minimum: 0,
      description: `More than ${AUDIT_LIMIT_MAX} counts as ${AUDIT_LIMIT_MAX}.`,
    }),
  );

/** Query of the audit log: filters are ANDed and compared exactly. */
export const AuditParameters = closed({
  event_type: v.optional(AuditEventTypeName),
  user_id: v.optional(v.string()),
  username: v.optional(v.string()),
  action: v.optional(v.string()),
  resource: v.optional(v.string()),
  result: v.optional(AuditResultName),
  ip_address: v.optional(v.string()),
  start_time: v.optional(time()),
  end_time: v.optional(time()),
  limit: v.optional(limit(), AUDIT_LIMIT_DEFAULT),
  cursor: v.optional(v.pipe(v.string(), v.maxLength(CURSOR_CHARS_MAX))),
  tenant_id: v.optional(textId()),
});
export type AuditParameters = v.InferOutput<typeof AuditParameters>;
