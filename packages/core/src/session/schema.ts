/**
 * Documents of logins, access tokens and their end (contract, accounts-security 2).
 * @module
 */
import * as v from 'valibot';
import { PASSWORD_BYTES_MAX } from '../limits.js';
import { password } from '../account/schema.js';
import { closed } from '../schema/document.js';
import { describedAs, named } from '../schema/json-schema.js';
import { integer } from '../schema/number.js';
import { textId } from '../schema/text.js';
import { uuid } from '../schema/uuid.js';

const Bearer = v.literal('Bearer');

/** A password that is only compared, so its length alone is bounded. */
export function presentedPassword() {
  return v.pipe(
    password(),
    v.check((text) => Buffer.byteLength(text, 'utf8') <= PASSWORD_BYTES_MAX, 'too_long'),
    describedAs({ description: `At most ${PASSWORD_BYTES_MAX} UTF-8 bytes.` }),
  );
}

/** Who logs in; without a tenant, an account of the installation. */
export const AuthLoginRequest = v.pipe(
  closed({
    username: textId(),
    password: presentedPassword(),
    tenant_id: v.optional(textId()),
  }),
  named('AuthLoginRequest'),
);

/** The tokens of a new session. */
export const AuthLoginResponse = v.pipe(
  closed({
    access_token: v.string(),
    token_type: Bearer,
    /** Seconds that the access token lives. */
    expires_in: integer(),
    refresh_token: v.string(),
    /** Seconds until the session ends, however often it is refreshed. */
    refresh_expires_in: integer(),
    user_id: uuid(),
    username: v.string(),
  }),
  named('AuthLoginResponse'),
);
export type AuthLoginResponse = v.InferOutput<typeof AuthLoginResponse>;
