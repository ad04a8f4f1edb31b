/** For whom a credential acts that an issuer proves. */
import type { ActingCredential } from '../../../kernel/access/principal.js';
import type { FederationRule } from '../credential/federation-rule.js';
import { mayActFor, type SubjectLimits } from '../delegation/delegated-authority-policy.js';

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
