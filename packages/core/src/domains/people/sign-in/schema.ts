/** Documents of the settings of sign-ins (docs/contract/openid.md). */
import * as v from 'valibot';
import { URL_BYTES_MAX } from '../../../contract/limits.js';
import { closed, orNull } from '../../../contract/schema/document.js';
import { describedAs, named } from '../../../contract/schema/json-schema.js';
import { integer } from '../../../contract/schema/number.js';
import { textId } from '../../../contract/schema/text.js';
import { shownTime } from '../../../contract/schema/time.js';
import { uuid } from '../../../contract/schema/uuid.js';
import { isWebUrl } from '../../../contract/schema/web-url.js';
import { ClaimPath, MatchedClaim } from '../../tenancy/credential/federation-rule.js';
import { Roles } from '../account/schema.js';
import {
  CLIENT_SECRET_BYTES_MAX,
  SIGN_IN_CLAIMS_MAX,
  SIGN_IN_ISSUERS_MAX,
  SIGN_IN_RULES_MAX,
} from './sign-in-limits.js';

const PLAIN_URL = `an http or https URL without user, password, query and fragment, of at most ${URL_BYTES_MAX} UTF-8 bytes`;

/** Returns the schema of a URL without a query: of an issuer, or a redirect. */
export function plainUrl() {
  return v.pipe(
    v.string(),
    v.check((text) => isWebUrl(text) && !text.includes('?'), PLAIN_URL),
    describedAs({ type: 'string', pattern: '^[Hh][Tt][Tt][Pp][Ss]?:[^?#\\s]+$' }),
  );
}

const rule = {
  /** All must match. */
  claims: v.pipe(v.array(MatchedClaim), v.minLength(1), v.maxLength(SIGN_IN_CLAIMS_MAX)),
  roles: Roles,
  /** The credential that accounts act with. */
  credential_id: v.nullable(uuid()),
  /** Whether a first sign-in makes an account. */
  creates_accounts: v.boolean(),
};

const issuer = {
  /** Unique in the authority. */
  name: textId(),
  issuer: plainUrl(),
  client_id: textId(),
  scope: v.pipe(
    textId(),
    v.check((text) => text.split(' ').includes('openid'), 'scopes with openid among them'),
  ),
  /** The claim that names a new account. Null: its `sub`. */
  username_claim: v.nullable(ClaimPath),
  rules: v.pipe(v.array(v.pipe(closed(rule), named('SignInRule'))), v.maxLength(SIGN_IN_RULES_MAX)),
  is_blocked: v.boolean(),
};

/** An issuer as requests have it. */
const SignInIssuerRequest = v.pipe(
  closed({
    ...issuer,
    /** Absent: as before, if issuer and client are the same. Null: none. */
    client_secret: v.exactOptional(v.nullable(textId(CLIENT_SECRET_BYTES_MAX))),
    scope: v.optional(issuer.scope, 'openid profile email'),
    username_claim: v.optional(issuer.username_claim, () => ['preferred_username']),
    rules: v.optional(
      v.pipe(
        v.array(
          v.pipe(
            closed({
              ...rule,
              roles: v.optional(Roles, () => ['Read']),
              credential_id: orNull(uuid()),
              creates_accounts: v.optional(v.boolean(), false),
            }),
            named('SignInRuleRequest'),
          ),
        ),
        v.maxLength(SIGN_IN_RULES_MAX),
      ),
      () => [],
    ),
    is_blocked: v.optional(v.boolean(), false),
  }),
  named('SignInIssuerRequest'),
);
export type SignInIssuerRequest = v.InferOutput<typeof SignInIssuerRequest>;

/** An issuer that vouches for people. */
export const SignInIssuer = v.pipe(
  closed({ ...issuer, has_client_secret: v.boolean() }),
  named('SignInIssuer'),
);
export type SignInIssuer = v.InferOutput<typeof SignInIssuer>;
/** What an issuer's claims give. */
export type SignInRule = SignInIssuer['rules'][number];

/** The body that states how people sign in. */
export const PutSignInSettingsRequest = v.pipe(
  closed({
    /** 0 for the first. */
    expected_revision: integer(),
    allows_passwords: v.optional(v.boolean(), true),
    issuers: v.pipe(
      v.array(SignInIssuerRequest),
      v.maxLength(SIGN_IN_ISSUERS_MAX),
      v.check((items) => areDistinct(items, 'name'), 'names that differ'),
      v.check((items) => areDistinct(items, 'issuer'), 'issuers that differ'),
    ),
  }),
  v.check(
    (it) => it.allows_passwords || it.issuers.some((each) => !each.is_blocked),
    'an issuer that is not blocked, where passwords are not allowed',
  ),
  named('PutSignInSettingsRequest'),
);

/** How the people of an authority sign in. */
export const SignInSettings = v.pipe(
  closed({
    /** 0 where nothing was ever stated. */
    revision: integer(),
    allows_passwords: v.boolean(),
    issuers: v.array(SignInIssuer),
    updated_at: v.nullable(shownTime()),
    /** Id of the credential or account that made this revision. */
    updated_by: v.nullable(uuid()),
  }),
  named('SignInSettings'),
);
export type SignInSettings = v.InferOutput<typeof SignInSettings>;

function areDistinct<K extends 'name' | 'issuer'>(
  items: readonly Readonly<Record<K, string>>[],
  member: K,
): boolean {
  return new Set(items.map((each) => each[member])).size === items.length;
}
