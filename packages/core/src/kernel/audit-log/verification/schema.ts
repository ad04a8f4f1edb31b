/** Documents of the verification of an audit log (docs/contract/audit.md#aud-104). */
import * as v from 'valibot';
import { CURSOR_CHARS_MAX } from '../../../contract/limits.js';
import { closed } from '../../../contract/schema/document.js';
import { named } from '../../../contract/schema/json-schema.js';
import { integer } from '../../../contract/schema/number.js';
import { hexDigest, textId } from '../../../contract/schema/text.js';
import { shownTime } from '../../../contract/schema/time.js';
import { auditQuotas } from '../quota-policy.js';
import { breakReasons } from './verify-chains.js';

/** A chain, which has the name of its quota. */
const AuditChainName = v.pipe(v.picklist(auditQuotas), named('AuditChainName'));

/** Where a verified chain ends. */
const AuditChainEnd = v.pipe(
  closed({
    chain: AuditChainName,
    /** How many events of it are kept. */
    events: integer(),
    /** The newest event, and the SHA-256 that every event before it leads to. */
    last_event: v.string(),
    digest: hexDigest(),
  }),
  named('AuditChainEnd'),
);

/** The first place where a chain does not hold. */
const AuditChainBreak = v.pipe(
  closed({
    event_id: v.string(),
    chain: v.nullable(AuditChainName),
    reason: v.picklist(breakReasons),
  }),
  named('AuditChainBreak'),
);

/** How far a verification is, and its result at the end. */
export const AuditChainVerification = v.pipe(
  closed({
    status: v.picklist(['running', 'verified', 'broken']),
    tenant_id: v.nullable(v.string()),
    /** When this part was verified. */
    checked_at: shownTime(),
    events_checked: integer(),
    blocks_checked: integer(),
    /** How many events are kept now. */
    events_kept: integer(),
    /** The oldest and the newest event that was checked. */
    first_event: v.nullable(v.string()),
    last_event: v.nullable(v.string()),
    chains: v.pipe(v.array(AuditChainEnd), v.maxLength(auditQuotas.length)),
    broken: v.nullable(AuditChainBreak),
    next_cursor: v.nullable(v.string()),
  }),
  named('AuditChainVerification'),
);
export type AuditChainVerification = v.InferOutput<typeof AuditChainVerification>;

/** Which log, and how far it was verified. */
export const AuditChainParameters = closed({
  cursor: v.optional(v.pipe(v.string(), v.maxLength(CURSOR_CHARS_MAX))),
  tenant_id: v.optional(textId()),
});
