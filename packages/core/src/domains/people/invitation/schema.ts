/** Documents of invitations (docs/contract/invitations.md#inv-1). */
import * as v from 'valibot';
import { Scope } from '../../../kernel/access/scope.js';
import { Email, password, User, username } from '../account/schema.js';
import {
  ACCOUNT_LIST_LIMIT_MAX,
  INVITATION_DAYS_DEFAULT,
  INVITATION_DAYS_MAX,
  INVITED_SCOPES_MAX,
  RESET_LINK_HOURS_DEFAULT,
  RESET_LINK_HOURS_MAX,
} from '../../../contract/limits.js';
import { closed, orNull } from '../../../contract/schema/document.js';
import { describedAs, named } from '../../../contract/schema/json-schema.js';
import { boundedInteger } from '../../../contract/schema/number.js';
import { shownTime } from '../../../contract/schema/time.js';
import { uuid } from '../../../contract/schema/uuid.js';
import { InvitedRole } from './invited-role.js';

/** Longest text that is looked at as a code. */
const CODE_CHARS_MAX = 128;

const linkCode = () => v.pipe(v.string(), v.regex(/^aki1_[0-9a-f]{32}_[A-Za-z0-9_-]{43}$/));

/** Body of an invitation. */
export const InviteUserRequest = v.pipe(
  closed({
    username: username(),
    email: orNull(Email),
    role: InvitedRole,
    scopes: v.optional(v.pipe(v.array(Scope), v.maxLength(INVITED_SCOPES_MAX)), []),
    valid_days: v.optional(boundedInteger(1, INVITATION_DAYS_MAX), INVITATION_DAYS_DEFAULT),
  }),
  named('InviteUserRequest'),
);
export type InviteUserRequest = v.InferOutput<typeof InviteUserRequest>;

/** How far an invitation is. */
const InvitationState = v.pipe(
  v.picklist(['waiting', 'expired', 'revoked']),
  named('InvitationState'),
);

/** An invitation that was not accepted. */
export const Invitation = v.pipe(
  closed({
    user: User,
    role: InvitedRole,
    state: InvitationState,
    /** Id of the credential or account that invited. */
    invited_by: uuid(),
    created_at: shownTime(),
    expires_at: shownTime(),
  }),
  named('Invitation'),
);
export type Invitation = v.InferOutput<typeof Invitation>;

/** Response of an invitation, with its code, once. */
export const InvitedUser = v.pipe(
  closed({
    invitation: Invitation,
    code: linkCode(),
    /** Path of the page where the person sets a password, with the code. */
    path: v.string(),
  }),
  named('InvitedUser'),
);
export type InvitedUser = v.InferOutput<typeof InvitedUser>;

/** Body of a reset link. */
export const CreateResetLinkRequest = v.pipe(
  closed({
    valid_hours: v.optional(boundedInteger(1, RESET_LINK_HOURS_MAX), RESET_LINK_HOURS_DEFAULT),
  }),
  named('CreateResetLinkRequest'),
);

/** Response of a reset link, with its code, once. */
export const ResetLink = v.pipe(
  closed({
    user: User,
    code: linkCode(),
    /** Path of the page where the person sets a password, with the code. */
    path: v.string(),
    expires_at: shownTime(),
  }),
  named('ResetLink'),
);

/** A page of invitations. */
export const InvitationList = v.pipe(
  closed({
    invitations: v.pipe(v.array(Invitation), v.maxLength(ACCOUNT_LIST_LIMIT_MAX)),
    next_cursor: v.nullable(v.string()),
  }),
  named('InvitationList'),
);
export type InvitationList = v.InferOutput<typeof InvitationList>;

/** Body of an acceptance. */
export const AcceptInvitationRequest = v.pipe(
  closed({
    code: v.pipe(v.string(), v.maxLength(CODE_CHARS_MAX)),
    password: v.pipe(password(), describedAs({ description: 'Follows the password rule.' })),
  }),
  named('AcceptInvitationRequest'),
);

/** Response of an acceptance: what the person logs in with, beside the password. */
export const AcceptedInvitation = v.pipe(
  closed({ username: v.string(), tenant_id: v.nullable(v.string()) }),
  named('AcceptedInvitation'),
);
