/**
 * Documents of accounts: request members and the two views (docs/contract/users.md#usr-9,
 * docs/contract/login-accounts.md#log-1).
 */
import * as v from 'valibot';
import { ACCOUNT_ROLES_MAX, TEXT_BYTES_MAX } from '../../../contract/limits.js';
import { closed } from '../../../contract/schema/document.js';
import { describedAs, named } from '../../../contract/schema/json-schema.js';
import { integer } from '../../../contract/schema/number.js';
import { textId } from '../../../contract/schema/text.js';
import { shownTime } from '../../../contract/schema/time.js';
import { uuid } from '../../../contract/schema/uuid.js';
import { AccountEvent } from './account-event.js';
import { isUsername, normalUsername, SPELLED_BYTES_MAX, USERNAME_RULE } from './username.js';

const ROLE = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;
const EMAIL = /^[^\s\p{Cc}@]+@[^\s\p{Cc}@]+$/u;
const EMAIL_BYTES = { min: 3, max: 254 } as const;

/** Roles of an account in the order given. */
export const Roles = v.pipe(
  v.array(
    v.pipe(
      v.string(),
      v.regex(ROLE, '1 to 64 of A-Z, a-z, 0-9, _ and -, a letter first'),
      describedAs({ type: 'string', pattern: ROLE.source }),
    ),
  ),
  v.maxLength(ACCOUNT_ROLES_MAX),
  v.check((roles) => new Set(roles).size === roles.length, 'items that differ'),
  describedAs({ uniqueItems: true }),
  named('Roles'),
);

/** An e-mail address: one `@` with text on both sides, no white space or control characters. */
export const Email = v.pipe(
  v.string(),
  v.check(isEmail, 'an e-mail address'),
  describedAs({ type: 'string', minLength: EMAIL_BYTES.min, maxLength: EMAIL_BYTES.max }),
);

/** Returns the schema of a username in a request; its output is the one spelling of the name. */
export function username() {
  return v.pipe(
    v.string(),
    v.transform(normalUsername),
    v.check(isUsername, USERNAME_RULE),
    describedAs({
      type: 'string',
      minLength: 1,
      maxLength: SPELLED_BYTES_MAX,
      description: `${USERNAME_RULE}, in the manner of RFC 8265; case-sensitive.`,
    }),
  );
}

/** Returns the schema of a password in a request. The operation decides which rule applies. */
export function password() {
  return v.pipe(v.string(), describedAs({ type: 'string' }));
}

/** An account as the account surface shows it. */
export const User = v.pipe(
  closed({
    id: uuid(),
    username: v.pipe(v.string(), v.maxLength(TEXT_BYTES_MAX)),
    email: v.nullable(v.string()),
    roles: v.array(v.string()),
    is_active: v.boolean(),
    created_at: shownTime(),
    updated_at: shownTime(),
    last_login: v.nullable(shownTime()),
    tenant_id: v.nullable(v.string()),
    credential_id: v.nullable(uuid()),
  }),
  named('User'),
);
export type User = v.InferOutput<typeof User>;

/** An account as the platform shows it. */
export const LoginAccount = v.pipe(
  closed({
    id: uuid(),
    username: textId(),
    authority: v.variant('kind', [
      closed({ kind: v.literal('global') }),
      closed({ kind: v.literal('tenant'), tenant_id: textId() }),
    ]),
    credential_id: v.nullable(uuid()),
    revision: integer(1),
    disabled_at_millis: v.nullable(integer()),
    history: v.pipe(v.array(AccountEvent), v.minLength(1)),
  }),
  named('LoginAccount'),
);
export type LoginAccount = v.InferOutput<typeof LoginAccount>;

/** Returns whether a text has the form of an e-mail address. */
export function isEmail(text: string): boolean {
  const bytes = Buffer.byteLength(text, 'utf8');
  return bytes >= EMAIL_BYTES.min && bytes <= EMAIL_BYTES.max && EMAIL.test(text);
}
