/** Documents of lockouts (docs/contract/lockouts.md). */
import * as v from 'valibot';
import { ACCOUNT_LIST_LIMIT_MAX, LOCKOUT_FAILURES_MAX } from '../../../contract/limits.js';
import { closed } from '../../../contract/schema/document.js';
import { named } from '../../../contract/schema/json-schema.js';
import { integer } from '../../../contract/schema/number.js';
import { textId } from '../../../contract/schema/text.js';
import { shownTime } from '../../../contract/schema/time.js';

/** The status of a name. Expiry and seconds are null unless the lock has an end. */
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

/** The status of one name. */
export const UserLockout = v.pipe(
  closed({ username: textId(), status: LockoutStatus }),
  named('UserLockout'),
);

/** A page of locked names in byte order, each with its status. */
export const LockoutList = v.pipe(
  closed({
    count: integer(0, ACCOUNT_LIST_LIMIT_MAX),
    locked_users: v.pipe(
      v.array(v.strictTuple([textId(), LockoutStatus])),
      v.maxLength(ACCOUNT_LIST_LIMIT_MAX),
    ),
    next_cursor: v.nullable(v.string()),
  }),
  named('LockoutList'),
);

/** An optional reason for a lock. */
export const LockRequest = v.pipe(closed({ reason: v.optional(textId()) }), named('LockRequest'));
