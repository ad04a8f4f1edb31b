/** Decides whether grants or a scope policy cover a scope. Pure, without lookups. */
import type { CompanyScopePolicy, Scope, ScopeAuthority, Selector } from './scope.js';

/** Returns whether a scope equals one of the grants, or the policy permits it. */
export function coversScope(authority: ScopeAuthority, scope: Scope): boolean {
  return (
    authority.grants.some((grant) => sameScope(grant, scope)) ||
    (authority.scope_policy !== undefined && permits(authority.scope_policy, scope))
  );
}

function sameScope(one: Scope, other: Scope): boolean {
  return (
    one.project_id === other.project_id &&
    one.mission_id === other.mission_id &&
    one.agent_id === other.agent_id &&
    one.visibility === other.visibility
  );
}

function permits(policy: CompanyScopePolicy, scope: Scope): boolean {
  const mission =
    scope.mission_id === null
      ? policy.allow_unassigned_mission
      : selects(policy.missions, scope.mission_id);
  return (
    mission &&
    selects(policy.projects, scope.project_id) &&
    selects(policy.agents, scope.agent_id) &&
    policy.visibilities.includes(scope.visibility)
  );
}

function selects(selector: Selector, id: string): boolean {
  return selector.mode === 'all' || selector.ids.includes(id);
}
