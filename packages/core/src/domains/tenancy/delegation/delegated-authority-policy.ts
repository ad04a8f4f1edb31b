/** What a service may do for a subject (docs/contract/delegation.md#dlg-5). */
import type { Capability } from '../../../kernel/access/capability.js';
import { commonAuthority } from '../../../kernel/access/grant-policy.js';
import type { ActingCredential } from '../../../kernel/access/principal.js';
import type { CompanyScopePolicy } from '../../../kernel/access/scope.js';
import { selectsSubject } from '../../../kernel/access/subject-selector-policy.js';

/** Rights over a tenant, which stay with the service. */
const NEVER_DELEGATED: readonly Capability[] = [
  ...(['tool_admin', 'policy_admin', 'credential_admin', 'act_for'] as const),
];

/** What administrators said of a subject. */
export interface SubjectLimits {
  readonly isBlocked: boolean;
  /** Null for no limit. */
  readonly capabilities: readonly Capability[] | null;
  /** Null for no limit. */
  readonly scopePolicy: CompanyScopePolicy | null;
}

/** Returns whether a service may act for a subject. */
export function mayActFor(
  { spec }: ActingCredential,
  subjectId: string,
  limits: SubjectLimits | undefined,
): boolean {
  const { capabilities: held, act_for: selector } = spec;
  if (!held.includes('act_for') || selector === undefined) return false;
  return limits?.isBlocked !== true && selectsSubject(selector, subjectId);
}

/** Returns the spec that a service acts with for a subject: what both may do. */
export function delegatedSpec(
  { spec }: ActingCredential,
  subjectId: string,
  limits: SubjectLimits | undefined,
): ActingCredential['spec'] {
  const { capabilities: ofSubject, scopePolicy } = limits ?? noLimits;
  const common = spec.capabilities.filter(
    (each) => !NEVER_DELEGATED.includes(each) && ofSubject?.includes(each) !== false,
  );
  const { grants, scope_policy } = spec;
  const held = { grants, ...(scope_policy === undefined ? {} : { scope_policy }) };
  const authority =
    scopePolicy === null ? held : commonAuthority(held, { grants: [], scope_policy: scopePolicy });
  return {
    subject_id: subjectId,
    capabilities: common,
    expires_at_millis: spec.expires_at_millis,
    ...authority,
  };
}

const noLimits = { capabilities: null, scopePolicy: null };
