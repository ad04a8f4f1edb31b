/** Federation rules, and their bounds. */
import * as v from 'valibot';
import {
  SUBJECT_TOKEN_SECONDS_DEFAULT,
  SUBJECT_TOKEN_SECONDS_MIN,
} from '../../../contract/limits.js';
import { closed, orNull } from '../../../contract/schema/document.js';
import { named } from '../../../contract/schema/json-schema.js';
import { boundedInteger } from '../../../contract/schema/number.js';
import { textId } from '../../../contract/schema/text.js';
import { SubjectSelector } from '../../../kernel/access/subject-selector.js';

/** Longest assertion of an issuer, in characters. */
export const ASSERTION_CHARS_MAX = 16_384;
/** Longest body that has an assertion, in bytes. */
export const FEDERATED_DOCUMENT_BYTES_MAX = 17_408;
/** Longest lifetime of a token in seconds. */
const FEDERATED_TOKEN_SECONDS_MAX = 3_600;
/** Most claims that one rule matches. */
const FEDERATION_CLAIMS_MAX = 16;
/** Most steps from the claims to the value that a rule reads. */
const CLAIM_PATH_STEPS_MAX = 4;
/** Most keys that are read of one issuer. */
export const ISSUER_KEYS_MAX = 32;

/** The names that lead from the claims to a value: one for a claim, more for a value in it. */
export const ClaimPath = v.pipe(
  v.array(textId()),
  v.minLength(1),
  v.maxLength(CLAIM_PATH_STEPS_MAX),
  named('ClaimPath'),
);
export type ClaimPath = v.InferOutput<typeof ClaimPath>;

/** A claim that a rule compares. */
export const MatchedClaim = closed({
  path: ClaimPath,
  /** The value of the claim, or one of its values if it is an array. */
  value: v.union([textId(), v.boolean()]),
});
export type MatchedClaim = v.InferOutput<typeof MatchedClaim>;

const rule = {
  /** The name of a trusted issuer of the tenant. */
  issuer: textId(),
  /** Selects the `sub` of assertions. */
  sub: SubjectSelector,
  claims: v.pipe(v.array(MatchedClaim), v.maxLength(FEDERATION_CLAIMS_MAX)),
  /** The claim that names the subject to act for. Null: the subject of the credential itself. */
  subject_claim: v.nullable(ClaimPath),
  /** How long tokens live. */
  token_seconds: boundedInteger(SUBJECT_TOKEN_SECONDS_MIN, FEDERATED_TOKEN_SECONDS_MAX, 0),
};

/** A rule as requests have it. */
export const FederationRuleRequest = v.pipe(
  closed({
    ...rule,
    claims: v.optional(rule.claims, () => []),
    subject_claim: orNull(ClaimPath),
    token_seconds: v.optional(rule.token_seconds, SUBJECT_TOKEN_SECONDS_DEFAULT),
  }),
  v.check(
    ({ sub, claims }) => sub.mode !== 'all' || claims.length > 0,
    'a `sub` that is not all, or claims',
  ),
  named('FederationRuleRequest'),
);

/** Which assertions prove a credential, and for whom it then acts. */
export const FederationRule = v.pipe(closed(rule), named('FederationRule'));
export type FederationRule = v.InferOutput<typeof FederationRule>;
