/** The subject that an assertion states. */
import { isTextId } from '../../../contract/schema/text.js';
import type { FederationRule } from '../credential/federation-rule.js';
import type { CredentialSpec } from '../credential/schema.js';
import { type AssertionClaims, claimAt } from './assertion-policy.js';

/** Returns the subject that a token is for; `undefined` if the claim is no subject id. */
export function statedSubject(
  { subject_id: own }: CredentialSpec,
  { subject_claim: path }: FederationRule,
  claims: AssertionClaims,
): string | undefined {
  if (path === null) return own;
  const stated = claimAt(claims, path);
  return typeof stated === 'string' && isTextId(stated) ? stated : undefined;
}
