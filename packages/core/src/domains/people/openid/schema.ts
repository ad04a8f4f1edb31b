/** Documents of sign-ins and of links of accounts (docs/contract/openid.md). */
import * as v from 'valibot';
import { closed } from '../../../contract/schema/document.js';
import { named } from '../../../contract/schema/json-schema.js';
import { integer } from '../../../contract/schema/number.js';
import { textId } from '../../../contract/schema/text.js';
import { plainUrl } from '../sign-in/schema.js';
import {
  ATTEMPT_CHARS_MAX,
  CALLBACK_CHARS_MAX,
  ISSUER_NAME_BYTES_MAX,
  LOGOUT_TOKEN_CHARS_MAX,
  SIGN_IN_LINKS_MAX,
} from '../sign-in/sign-in-limits.js';

const within = (charsMax: number) => v.pipe(v.string(), v.minLength(1), v.maxLength(charsMax));

/** A name of an authority: a tenant, or the installation if it is left out. */
const tenancy = { tenant_id: v.optional(textId()) };

/** Which ways to sign in there are. */
export const SignInMethods = v.pipe(
  closed({
    allows_passwords: v.boolean(),
    /** Names of issuers, in the order of the settings. */
    issuers: v.array(textId()),
  }),
  named('SignInMethods'),
);

/** The body that begins a sign-in. */
export const BeginSignInRequest = v.pipe(
  closed({
    ...tenancy,
    /** The name of the issuer. */
    issuer: textId(),
    /** Where the issuer sends the browser, exactly as it is registered there. */
    redirect_uri: plainUrl(),
  }),
  named('BeginSignInRequest'),
);

/** A sign-in under way. */
export const BeginSignInResponse = v.pipe(
  closed({
    /** Where to send the browser. */
    authorization_url: v.string(),
    /** Proves to `completeSignIn` who began. Keep it where only the browser that began has it. */
    attempt: v.string(),
    /** Seconds that the sign-in may take. */
    expires_in: integer(),
  }),
  named('BeginSignInResponse'),
);

/** The body that completes a sign-in. */
export const CompleteSignInRequest = v.pipe(
  closed({
    attempt: within(ATTEMPT_CHARS_MAX),
    /** The query of the address that the issuer sent the browser to, without the question mark. */
    callback: within(CALLBACK_CHARS_MAX),
  }),
  named('CompleteSignInRequest'),
);

/** The body of a logout at an issuer (OpenID Connect Back-Channel Logout 1.0). */
export const IssuerLogoutRequest = v.pipe(
  closed({
    ...tenancy,
    /** The name of the issuer. */
    issuer: textId(),
    logout_token: within(LOGOUT_TOKEN_CHARS_MAX),
  }),
  named('IssuerLogoutRequest'),
);

const link = {
  /** The URL of the issuer. */
  issuer: plainUrl(),
  /** Its name for the person. */
  sub: textId(ISSUER_NAME_BYTES_MAX),
};

/** Who at an issuer signs in as an account. */
const UserLink = v.pipe(
  closed({
    ...link,
    /** Whether each sign-in gives the account what the rules of the issuer say. */
    follows_rules: v.boolean(),
  }),
  named('UserLink'),
);

/** The body that replaces the links of an account. */
export const PutUserLinksRequest = v.pipe(
  closed({
    links: v.pipe(
      v.array(
        v.pipe(
          closed({ ...link, follows_rules: v.optional(v.boolean(), false) }),
          named('UserLinkRequest'),
        ),
      ),
      v.maxLength(SIGN_IN_LINKS_MAX),
      v.check(
        (items) =>
          new Set(items.map(({ issuer, sub }) => `${issuer}\0${sub}`)).size === items.length,
        'items that differ',
      ),
    ),
  }),
  named('PutUserLinksRequest'),
);

/** The links of an account. */
export const UserLinks = v.pipe(closed({ links: v.array(UserLink) }), named('UserLinks'));
