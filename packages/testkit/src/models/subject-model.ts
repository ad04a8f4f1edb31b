/**
 * What services may do for subjects, from the contract alone (docs/contract/delegation.md).
 */
import type { Capability, CompanyScopePolicy, Credential, Scope, Selector } from '@agentkeep/core';
import type { OutputOf } from '@agentkeep/core/clients';

/** A subject as answers show it. */
export type ShownSubject = OutputOf<'getSubject'>['subject'];

const KEPT_BY_SERVICE: readonly Capability[] = [
  ...(['tool_admin', 'policy_admin', 'credential_admin', 'act_for'] as const),
];

/** Whether a credential may act for a subject. */
export function mayActFor(
  { spec }: Credential,
  subject: string,
  limits: ShownSubject | undefined,
): boolean {
  const { act_for: selector } = spec;
  if (selector === undefined || limits?.is_blocked === true) return false;
  if (selector.mode === 'only') return selector.ids.some((each) => each === subject);
  return selector.mode === 'all' || subject.indexOf(selector.prefix) === 0;
}

/** The credential of a service as `whoAmI` shows it to a call for a subject. */
export function actingFor(
  service: Credential,
  subject: string,
  limits: ShownSubject | undefined,
): Credential {
  const { spec } = service;
  const { capabilities: limited = null, scope_policy: limit = null } = limits ?? {};
  const common = spec.capabilities.filter(
    (each) => !KEPT_BY_SERVICE.includes(each) && (limited === null || limited.includes(each)),
  );
  const { grants, scope_policy: policy } = spec;
  return {
    ...service,
    spec: {
      subject_id: subject,
      capabilities: common,
      grants: limit === null ? grants : grants.filter((grant) => permits(limit, grant)),
      expires_at_millis: spec.expires_at_millis,
      ...(policy === undefined
        ? {}
        : { scope_policy: limit === null ? policy : both(policy, limit) }),
    },
    acting_service: { subject_id: spec.subject_id },
  };
}

function both(one: CompanyScopePolicy, other: CompanyScopePolicy): CompanyScopePolicy {
  const selector = (left: Selector, right: Selector): Selector => {
    if (left.mode === 'only') {
      return { mode: 'only', ids: left.ids.filter((id) => selects(right, id)) };
    }
    return right;
  };
  return {
    version: 'company_scopes_v1',
    projects: selector(one.projects, other.projects),
    agents: selector(one.agents, other.agents),
    missions: selector(one.missions, other.missions),
    allow_unassigned_mission: one.allow_unassigned_mission && other.allow_unassigned_mission,
    visibilities: one.visibilities.filter((each) => other.visibilities.includes(each)),
  };
}

/** Whether a scope policy permits a scope. */
export function permits(policy: CompanyScopePolicy, scope: Scope): boolean {
  const { projects, agents, missions, allow_unassigned_mission, visibilities } = policy;
  const isMissionFine =
    scope.mission_id === null ? allow_unassigned_mission : selects(missions, scope.mission_id);
  return (
    isMissionFine &&
    selects(projects, scope.project_id) &&
    selects(agents, scope.agent_id) &&
    visibilities.includes(scope.visibility)
  );
}

function selects(selector: Selector, id: string): boolean {
  return selector.mode === 'all' || selector.ids.some((each) => each === id);
}
