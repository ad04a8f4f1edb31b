/** Documents of federation (docs/contract/federation.md). */
import * as v from 'valibot';
import { CURSOR_CHARS_MAX, DIRECTORY_LIMIT_MAX, URL_BYTES_MAX } from '../../../contract/limits.js';
import {
  ASSERTION_CHARS_MAX,
  FederationRuleRequest,
  ISSUER_KEYS_MAX,
} from '../credential/federation-rule.js';
import { closed, orNull } from '../../../contract/schema/document.js';
import { describedAs, named } from '../../../contract/schema/json-schema.js';
import {
  administrationVersion,
  answeredVersion,
  contractVersion,
  integer,
} from '../../../contract/schema/number.js';
import { textId } from '../../../contract/schema/text.js';
import { uuid } from '../../../contract/schema/uuid.js';
import { isWebUrl } from '../../../contract/schema/web-url.js';
import { CredentialSpecRequest } from '../credential/schema.js';

const URL_RULE = `an http or https URL without user, password and fragment, of at most ${URL_BYTES_MAX} UTF-8 bytes`;
const BASE64URL = '^[A-Za-z0-9_-]+$';

function webUrl() {
  return v.pipe(
    v.string(),
    v.check(isWebUrl, URL_RULE),
    describedAs({ type: 'string', pattern: '^[Hh][Tt][Tt][Pp][Ss]?:[^#\\s]+$' }),
  );
}

function base64url(charsMax: number) {
  return v.pipe(
    v.string(),
    v.regex(new RegExp(BASE64URL), 'base64url characters'),
    v.maxLength(charsMax),
  );
}

/** A public key of an issuer as a JWK (RFC 7517), with the members of its kind only. */
export const IssuerKey = v.pipe(
  closed({
    kty: v.picklist(['RSA', 'EC', 'OKP']),
    n: v.exactOptional(base64url(2_048)),
    e: v.exactOptional(base64url(16)),
    crv: v.exactOptional(v.picklist(['P-256', 'P-384', 'P-521', 'Ed25519'])),
    x: v.exactOptional(base64url(128)),
    y: v.exactOptional(base64url(128)),
    kid: v.exactOptional(textId()),
    alg: v.exactOptional(textId()),
    use: v.exactOptional(textId()),
  }),
  named('IssuerKey'),
);
export type IssuerKey = v.InferOutput<typeof IssuerKey>;

/** Where the keys of an issuer come from. */
export const IssuerKeys = v.pipe(
  v.variant('mode', [
    closed({ mode: v.literal('discovery') }),
    closed({ mode: v.literal('address'), jwks_uri: webUrl() }),
    closed({
      mode: v.literal('inline'),
      keys: v.pipe(v.array(IssuerKey), v.minLength(1), v.maxLength(ISSUER_KEYS_MAX)),
    }),
  ]),
  named('IssuerKeys'),
);
export type IssuerKeys = v.InferOutput<typeof IssuerKeys>;

const issuer = {
  /** The `iss` of assertions. Null: it is not compared, as SPIFFE has none. */
  issuer: v.nullable(textId()),
  /** The `aud` of assertions, or one of several. */
  audience: textId(),
  keys: IssuerKeys,
  /** Whether nothing of the issuer is accepted. */
  is_blocked: v.boolean(),
};

/** The body that states an issuer. */
export const PutIssuerRequest = v.pipe(
  closed({
    ...issuer,
    contract_version: administrationVersion(),
    /** 0 for a new one. */
    expected_revision: integer(),
    issuer: orNull(textId()),
    is_blocked: v.optional(issuer.is_blocked, false),
  }),
  v.check(
    (it) => it.keys.mode !== 'discovery' || (it.issuer !== null && isWebUrl(it.issuer)),
    'an `issuer` that is a URL, where the keys are found by discovery',
  ),
  named('PutIssuerRequest'),
);

/** An issuer that a tenant trusts. */
export const TrustedIssuer = v.pipe(
  closed({
    name: textId(),
    revision: integer(1),
    ...issuer,
    updated_at_millis: integer(),
    /** Id of the credential that made this revision. */
    updated_by: uuid(),
  }),
  named('TrustedIssuer'),
);
export type TrustedIssuer = v.InferOutput<typeof TrustedIssuer>;

/** The answer that shows an issuer. */
export const IssuerResponse = v.pipe(
  closed({ contract_version: answeredVersion, issuer: TrustedIssuer }),
  named('IssuerResponse'),
);

/** One page of the issuers of a tenant. */
export const DirectoryIssuersResponse = v.pipe(
  closed({
    contract_version: answeredVersion,
    page: closed({
      items: v.pipe(v.array(TrustedIssuer), v.maxLength(DIRECTORY_LIMIT_MAX)),
      next_cursor: v.nullable(v.pipe(v.string(), v.maxLength(CURSOR_CHARS_MAX))),
    }),
  }),
  named('DirectoryIssuersResponse'),
);

/** The body that issues a credential which an issuer proves. */
export const IssueFederatedRequest = v.pipe(
  closed({
    contract_version: contractVersion(),
    spec: CredentialSpecRequest,
    federation: FederationRuleRequest,
  }),
  v.check(
    ({ spec, federation }) => federation.subject_claim === null || spec.act_for !== null,
    'an `act_for` in the spec, where `subject_claim` names the subject',
  ),
  named('IssueFederatedRequest'),
);

/** The body that exchanges an assertion for a token. */
export const FederatedTokenRequest = v.pipe(
  closed({
    contract_version: contractVersion(),
    /** The credential to act with. */
    credential_id: uuid(),
    /** A signed JWT of the issuer. */
    assertion: v.pipe(v.string(), v.minLength(1), v.maxLength(ASSERTION_CHARS_MAX)),
  }),
  named('FederatedTokenRequest'),
);

/** A token of a credential that an issuer proved. */
export const FederatedTokenResponse = v.pipe(
  closed({
    contract_version: answeredVersion,
    access_token: v.string(),
    token_type: v.literal('Bearer'),
    /** Seconds that the token lives. */
    expires_in: integer(),
  }),
  named('FederatedTokenResponse'),
);
