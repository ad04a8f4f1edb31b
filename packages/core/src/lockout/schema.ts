/**
 * Documents of lockouts, field by field (contract, accounts-security 5.3).
 * @module
 */
import * as v from 'valibot';
import { LOCKOUT_FAILURES_MAX } from '../limits.js';
import { closed } from '../schema/document.js';
import { named } from '../schema/json-schema.js';
import { integer } from '../schema/number.js';
import { shownTime } from '../schema/time.js';

/** Where a name stands. Expiry and seconds are null unless it is locked for a time. */
export const LockoutStatus = v.pipe(
  closed({
    locked: v.boolean(),
    failed_attempts: integer(0, LOCKOUT_FAILURES_MAX),
    lockout_count: integer(),
    lockout_expires: v.nullable(shownTime()),
    lockout_remaining_seconds: v.nullable(integer()),
    remaining_attempts: integer(0, LOCKOUT_FAILURES_MAX),
    lockout_reason: v.nullable(v.string()),
  }),
  named('LockoutStatus'),
);
export type LockoutStatus = v.InferOutput<typeof LockoutStatus>;
