/** Decides which assertions, makers and subjects a federation rule accepts. */
import type { Capability } from '../../../kernel/access/capability.js';
import type { ActingCredential } from '../../../kernel/access/principal.js';
import { selectsSubject } from '../../../kernel/access/subject-selector-policy.js';
import type { ClaimPath, FederationRule, MatchedClaim } from '../credential/federation-rule.js';
import type { CredentialSpec } from '../credential/schema.js';
import { mayActFor, type SubjectLimits } from '../delegation/delegated-authority-policy.js';

/** The verified claims of an assertion. */
export type AssertionClaims = Readonly<Record<string, unknown>>;

/** Returns whether a rule matches. */
export function matchesRule({ sub, claims }: FederationRule, stated: AssertionClaims): boolean {
  const { sub: subject } = stated;
  if (typeof subject !== 'string' || !selectsSubject(sub, subject)) return false;
  return haveClaims(stated, claims);
}

/** Returns whether claims have all of these values. An array matches by any of its values. */
export function haveClaims(stated: AssertionClaims, wanted: readonly MatchedClaim[]): boolean {
  return wanted.every(({ path, value }) => {
    const found = claimAt(stated, path);
    return Array.isArray(found) ? found.includes(value) : found === value;
  });
}

/** Returns the value at a path of claims, or `undefined`. Only own members count. */
export function claimAt(claims: AssertionClaims, path: ClaimPath): unknown {
  let found: unknown = claims;
  for (const step of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, step)) {
      return undefined;
    }
    found = (found as AssertionClaims)[step];
  }
  return found;
}

/** Rights over the tenant. */
const OVER_TENANT: readonly Capability[] = ['tool_admin', 'policy_admin', 'credential_admin'];

/**
 * Returns why a spec is beyond its maker, or `undefined`. Access to data may be given by every
 * administrator of credentials, as with secrets; rights over the tenant and time may not.
 */
export function beyondMaker(
  { capabilities, expires_at_millis: end }: CredentialSpec,
  { spec: maker }: ActingCredential,
): string | undefined {
  const missing = capabilities.find(
    (each) => OVER_TENANT.includes(each) && !maker.capabilities.includes(each),
  );
  if (missing !== undefined) {
    return `Your credential lacks \`${missing}\`, so it cannot let an issuer give it. Leave it out.`;
  }
  const makerEnd = maker.expires_at_millis;
  if (makerEnd === null || (end !== null && end <= makerEnd)) return undefined;
  return (
    `Your credential ends at ${makerEnd}, and what it lets an issuer give cannot live longer. ` +
    'Set `spec.expires_at_millis` to that time or earlier.'
  );
}

/** Returns whether a rule gives a credential to its own subject, and not to one of a claim. */
export function actsForItself({ subject_claim: claim }: FederationRule): boolean {
  return claim === null;
}

/** Returns whether a federated credential may act for a subject. */
export function mayBeActedFor(
  { credential, rule }: { readonly credential: ActingCredential; readonly rule: FederationRule },
  subjectId: string,
  limits: SubjectLimits | undefined,
): boolean {
  if (!actsForItself(rule)) return mayActFor(credential, subjectId, limits);
  return subjectId === credential.spec.subject_id && limits?.isBlocked !== true;
}
