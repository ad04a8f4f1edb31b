/** Whether the claims of an assertion prove a credential, and for whom it then acts. */
import { selectsSubject } from '../../../kernel/access/subject-selector-policy.js';
import type { ClaimPath, FederationRule, MatchedClaim } from '../credential/federation-rule.js';

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
