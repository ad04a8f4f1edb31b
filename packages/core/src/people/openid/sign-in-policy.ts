/** Which rule of an issuer applies to a person, and how a new account is called. Pure. */
import type { ClaimPath } from '../../identity/credential/federation-rule.js';
import type { AssertionClaims } from '../../identity/federation/assertion-policy.js';
import { claimAt, haveClaims } from '../../identity/federation/assertion-policy.js';
import type { SignInRule } from '../sign-in/schema.js';

/** Returns the first rule that matches the claims of a person, or `undefined`. */
export function matchingRule(
  rules: readonly SignInRule[],
  claims: AssertionClaims,
): SignInRule | undefined {
  return rules.find((rule) => haveClaims(claims, rule.claims));
}

/** Returns the username that claims state, or `undefined` if it is no text. */
export function statedUsername(
  path: ClaimPath | null,
  claims: AssertionClaims,
): string | undefined {
  const stated = claimAt(claims, path ?? ['sub']);
  return typeof stated === 'string' ? stated : undefined;
}
