/**
 * The policy for the credential of a subject, by the rules of `agentFor()` in process. It is stated
 * again, because what a client shares with core is in every bundle.
 */
import type { Capability, Credential, Scope, ScopeInput } from '@agentkeep/core/clients';

/** The credential that a program asks for. */
export interface WantedSubject {
  readonly capabilities: readonly Capability[];
  readonly grants: Scope[];
  /** Whether the grants take the place of those that the credential has. */
  readonly replace: boolean;
}

/** What the credential needs: nothing, these scopes, or another credential. */
export type SubjectDecision = 'use' | 'capabilities_differ' | { readonly grants: Scope[] };

/** Returns the scopes that a program asks for, by default the private one of its subject. */
export function wantedScopes(
  scopes: readonly ScopeInput[] | undefined,
  agent: string | undefined,
): Scope[] {
  const own: ScopeInput = {
    project_id: 'default',
    agent_id: agent ?? 'default',
    visibility: 'private',
  };
  return (scopes ?? [own]).map((scope) => ({ ...scope, mission_id: scope.mission_id ?? null }));
}

/** Decides what a live credential needs. Capabilities never change, scopes may. */
export function decideSubject({ spec }: Credential, wanted: WantedSubject): SubjectDecision {
  const isSame =
    spec.capabilities.length === new Set(wanted.capabilities).size &&
    wanted.capabilities.every((each) => spec.capabilities.includes(each));
  if (!isSame) return 'capabilities_differ';
  const missing = wanted.grants.filter((scope) => !isIn(scope, spec.grants));
  if (wanted.replace) {
    const isExact = missing.length === 0 && spec.grants.every((each) => isIn(each, wanted.grants));
    return isExact && spec.scope_policy === undefined ? 'use' : { grants: wanted.grants };
  }
  // The scopes of a policy are the administrator's to choose.
  if (missing.length === 0 || spec.scope_policy !== undefined) return 'use';
  return { grants: [...spec.grants, ...missing] };
}

function isIn(scope: Scope, others: readonly Scope[]): boolean {
  const names = ['project_id', 'mission_id', 'agent_id', 'visibility'] as const;
  return others.some((other) => names.every((name) => scope[name] === other[name]));
}
