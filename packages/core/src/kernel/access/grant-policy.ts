/**
 * Decides whether grants or a scope policy cover a scope. Pure, without lookups.
 *
 * The scopes that two authorities cover both. Pure, without lookups.
 */
import type { CompanyScopePolicy, Scope, ScopeAuthority, ScopeInput, Selector } from './scope.js';

/** Returns whether a scope equals one of the grants, or the policy permits it. */
export function coversScope(authority: ScopeAuthority, scope: Scope): boolean {
  return (
    authority.grants.some((grant) => isSameScope(grant, scope)) ||
    (authority.scope_policy !== undefined && permits(authority.scope_policy, scope))
  );
}

/** A member of a scope. */
type ScopeMember = keyof Scope;

const scopeMembers = ['project_id', 'mission_id', 'agent_id', 'visibility'] as const;

/**
 * Returns the members in which a scope differs from the nearest grant, or which the policy does not
 * permit, whichever are fewer; `undefined` for an authority over no scope.
 */
export function differingMembers(
  { grants, scope_policy: policy }: ScopeAuthority,
  scope: Scope,
): readonly ScopeMember[] | undefined {
  const differences = grants.map((grant) =>
    scopeMembers.filter((member) => grant[member] !== scope[member]),
  );
  if (policy !== undefined) {
    differences.push(scopeMembers.filter((member) => !permitsMember(policy, scope, member)));
  }
  return differences.reduce<readonly ScopeMember[] | undefined>(
    (least, each) => (least === undefined || each.length < least.length ? each : least),
    undefined,
  );
}

/** Returns whether two scopes are the same; a mission that is left out is none. */
export function isSameScope(one: ScopeInput, other: ScopeInput): boolean {
  return scopeMembers.every((member) => (one[member] ?? null) === (other[member] ?? null));
}

function permits(policy: CompanyScopePolicy, scope: Scope): boolean {
  return scopeMembers.every((member) => permitsMember(policy, scope, member));
}

function permitsMember(policy: CompanyScopePolicy, scope: Scope, member: ScopeMember): boolean {
  switch (member) {
    case 'project_id':
      return selects(policy.projects, scope.project_id);
    case 'mission_id':
      return scope.mission_id === null
        ? policy.allow_unassigned_mission
        : selects(policy.missions, scope.mission_id);
    case 'agent_id':
      return selects(policy.agents, scope.agent_id);
    case 'visibility':
      return policy.visibilities.includes(scope.visibility);
  }
}

function selects(selector: Selector, id: string): boolean {
  return selector.mode === 'all' || selector.ids.includes(id);
}

/** Returns an authority over exactly the scopes that both cover. */
export function commonAuthority(one: ScopeAuthority, other: ScopeAuthority): ScopeAuthority {
  const [first, second] = [one.scope_policy, other.scope_policy];
  // Exact grants and a policy exclude each other in one credential.
  const grants = [
    ...one.grants.filter((grant) => coversScope(other, grant)),
    ...other.grants.filter((grant) => first !== undefined && coversScope(one, grant)),
  ];
  if (first === undefined || second === undefined) return { grants };
  return { grants, scope_policy: commonPolicy(first, second) };
}

function commonPolicy(one: CompanyScopePolicy, other: CompanyScopePolicy): CompanyScopePolicy {
  return {
    version: one.version,
    projects: commonIds(one.projects, other.projects),
    agents: commonIds(one.agents, other.agents),
    missions: commonIds(one.missions, other.missions),
    allow_unassigned_mission: one.allow_unassigned_mission && other.allow_unassigned_mission,
    visibilities: one.visibilities.filter((each) => other.visibilities.includes(each)),
  };
}

function commonIds(one: Selector, other: Selector): Selector {
  if (one.mode === 'all') return other;
  if (other.mode === 'all') return one;
  return { mode: 'only', ids: one.ids.filter((id) => other.ids.includes(id)) };
}
