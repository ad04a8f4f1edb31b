/** The scopes that two authorities cover both. Pure, without lookups. */
import { coversScope } from './grant-policy.js';
import type { CompanyScopePolicy, ScopeAuthority, Selector } from './scope.js';

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
