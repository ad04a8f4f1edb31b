/** Documents of logins, access tokens and revocations (docs/contract/sessions.md). */
import * as v from 'valibot';
import { PASSWORD_BYTES_MAX } from '../../contract/limits.js';
import { password } from '../account/schema.js';
import { closed } from '../../contract/schema/document.js';
import { describedAs, named } from '../../contract/schema/json-schema.js';
import { integer } from '../../contract/schema/number.js';
import { textId } from '../../contract/schema/text.js';
import { uuid } from '../../contract/schema/uuid.js';

const Bearer = v.literal('Bearer');

/** A password that is only compared; only its length is bounded. */
function presentedPassword() {
  return v.pipe(
    password(),
    v.check((text) => Buffer.byteLength(text, 'utf8') <= PASSWORD_BYTES_MAX, 'too_long'),
    describedAs({ description: `At most ${PASSWORD_BYTES_MAX} UTF-8 bytes.` }),
  );
}

/** Body of a login. Without a tenant, the account is one of the installation. */
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

/** Body of a refresh. Without a refresh token, the access token of the call counts. */
export const RefreshRequest = v.pipe(
  closed({ refresh_token: v.optional(v.string()) }),
  named('RefreshRequest'),
);

/** A new access token of the same session. */
export const RefreshResponse = v.pipe(
  closed({
    access_token: v.string(),
    token_type: Bearer,
    /** Seconds that the access token lives. */
    expires_in: integer(),
    /** Seconds until the session ends, however often it is refreshed. */
    refresh_expires_in: integer(),
  }),
  named('RefreshResponse'),
);
export type RefreshResponse = v.InferOutput<typeof RefreshResponse>;

/** The access token to revoke. It is its own proof. */
export const RevokeRequest = v.pipe(closed({ token: v.string() }), named('RevokeRequest'));

/** Which token is revoked. */
export const RevokeResponse = v.pipe(
  closed({ success: v.literal(true), message: v.string(), jti: uuid() }),
  named('RevokeResponse'),
);
export type RevokeResponse = v.InferOutput<typeof RevokeResponse>;

/** The account whose sessions end, and the reason. */
export const RevokeAllRequest = v.pipe(
  closed({
    user_id: uuid(),
    reason: v.optional(textId()),
    /** Whether API keys end too. Default: true for the reason `security_incident`, else false. */
    include_api_keys: v.optional(v.boolean()),
  }),
  named('RevokeAllRequest'),
);

/** The account whose sessions ended. */
export const RevokeAllResponse = v.pipe(
  closed({ success: v.literal(true), message: v.string(), user_id: uuid() }),
  named('RevokeAllResponse'),
);
export type RevokeAllResponse = v.InferOutput<typeof RevokeAllResponse>;

const base64url = () =>
  v.pipe(v.string(), describedAs({ type: 'string', pattern: '^[A-Za-z0-9_-]+$' }));

/** The public keys that access tokens are verified with (RFC 7517). */
export const JwkSet = v.pipe(
  closed({
    keys: v.array(
      v.pipe(
        closed({
          kty: v.literal('RSA'),
          use: v.literal('sig'),
          alg: v.literal('RS256'),
          /** Thumbprint (RFC 7638). */
          kid: base64url(),
          n: base64url(),
          e: base64url(),
        }),
        named('Jwk'),
      ),
    ),
  }),
  named('JwkSet'),
);
