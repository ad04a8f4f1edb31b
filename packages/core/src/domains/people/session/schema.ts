/** Documents of logins, access tokens and revocations (docs/contract/sessions.md). */
import * as v from 'valibot';
import { PASSWORD_BYTES_MAX } from '../../../contract/limits.js';
import { password, username } from '../account/schema.js';
import { closed } from '../../../contract/schema/document.js';
import { describedAs, named } from '../../../contract/schema/json-schema.js';
import { integer } from '../../../contract/schema/number.js';
import { textId } from '../../../contract/schema/text.js';
import { shownTime } from '../../../contract/schema/time.js';
import { uuid } from '../../../contract/schema/uuid.js';
import { LIVE_SESSIONS_MAX } from './session-policy.js';

const Bearer = v.literal('Bearer');

/** A password that is only compared; only its length is bounded. */
function presentedPassword() {
  return v.pipe(
    password(),
    v.check(
      (text) => Buffer.byteLength(text, 'utf8') <= PASSWORD_BYTES_MAX,
      `at most ${PASSWORD_BYTES_MAX} UTF-8 bytes`,
    ),
    describedAs({ description: `At most ${PASSWORD_BYTES_MAX} UTF-8 bytes.` }),
  );
}

/** Body of a login. Without a tenant, the account is one of the installation. */
export const AuthLoginRequest = v.pipe(
  closed({
    username: username(),
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

/** A live session as lists show it, without its secrets. */
export const UserSession = v.pipe(
  closed({
    session_id: uuid(),
    /** `jwt`: access tokens and a refresh token; `opaque`: one token of the platform. */
    kind: v.picklist(['jwt', 'opaque']),
    /** The URL of the issuer that vouched for the person; null where none did. */
    issuer: v.nullable(v.string()),
    created_at: shownTime(),
    /** When refreshing ends, or the opaque token. */
    expires_at: shownTime(),
    /** Behind by up to a minute; null where uses are not recorded. */
    last_used: v.nullable(shownTime()),
    /** Whether the call was made in it. */
    is_current: v.boolean(),
  }),
  named('UserSession'),
);
export type UserSession = v.InferOutput<typeof UserSession>;

/** The live sessions of an account, newest first. */
export const UserSessionList = v.pipe(
  closed({
    sessions: v.pipe(v.array(UserSession), v.maxLength(2 * LIVE_SESSIONS_MAX)),
  }),
  named('UserSessionList'),
);
export type UserSessionList = v.InferOutput<typeof UserSessionList>;

/** Names the session to end. */
export const EndSessionRequest = v.pipe(closed({ session_id: uuid() }), named('EndSessionRequest'));

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
