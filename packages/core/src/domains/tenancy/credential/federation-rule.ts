/** How an issuer proves a credential, instead of a secret (docs/contract/federation.md). */
import * as v from 'valibot';
import { SubjectSelector } from '../../../kernel/access/subject-selector.js';
import {
  SUBJECT_TOKEN_SECONDS_DEFAULT,
  SUBJECT_TOKEN_SECONDS_MIN,
} from '../../../contract/limits.js';
import {
  CLAIM_PATH_STEPS_MAX,
  FEDERATED_TOKEN_SECONDS_MAX,
  FEDERATION_CLAIMS_MAX,
} from './federation-limits.js';
import { closed, orNull } from '../../../contract/schema/document.js';
import { named } from '../../../contract/schema/json-schema.js';
import { boundedInteger } from '../../../contract/schema/number.js';
import { textId } from '../../../contract/schema/text.js';

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
