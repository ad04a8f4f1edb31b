/** Decides whether a principal's credential covers what an operation of a tenant requires. */
import { AgentkeepError, type RefusedMember } from '../contract/errors/agentkeep-error.js';
import type { Capability } from './capability.js';
import { coversScope } from './grant-policy.js';
import type { ActingCredential, Principal } from './principal.js';
import type { Scope } from './scope.js';

/** What an operation requires of its caller. */
export interface Requirement {
  readonly capability?: Capability | undefined;
  readonly scope?: Scope | undefined;
  readonly scopes?: RequiredScopes | undefined;
}

/** Several scopes, all of them required. */
export interface RequiredScopes {
  readonly all: readonly Scope[];
  /** Returns the path of the member that holds the scope of this index, for errors. */
  memberOf(index: number): string;
}

/**
 * Returns the credential that the principal acts with, if it covers the requirement.
 *
 * @throws {AgentkeepError} `forbidden` when it has no credential, capability or scope for it; of
 * several scopes, it names the member of the first that is missing.
 */
export function authorize(principal: Principal, requirement: Requirement): ActingCredential {
  const { credential } = principal;
  if (credential === null) throw new AgentkeepError('forbidden');
  const missing = missingRight(credential, requirement);
  if (missing === undefined) return credential;
  throw new AgentkeepError('forbidden', { members: missing.members });
}

/** Returns the name of the required right in the audit log. */
export function rightOf(requirement: Requirement): string {
  return requirement.capability ?? (requirement.scope === undefined ? 'authority' : 'scope');
}

/** Returns the right that a principal lacks, or `authority` if it lacks none. */
export function deniedRight({ credential }: Principal, requirement: Requirement): string {
  return (credential && missingRight(credential, requirement)?.right) ?? 'authority';
}

/** A right that a credential lacks, and the members of the input that require it. */
interface MissingRight {
  readonly right: string;
  readonly members: readonly RefusedMember[];
}

function missingRight(
  { spec }: ActingCredential,
  { capability, scope, scopes }: Requirement,
): MissingRight | undefined {
  if (capability !== undefined && !spec.capabilities.includes(capability)) {
    return { right: capability, members: [] };
  }
  if (scope !== undefined && !coversScope(spec, scope)) return { right: 'scope', members: [] };
  const index = scopes?.all.findIndex((each) => !coversScope(spec, each)) ?? -1;
  if (scopes === undefined || index === -1) return undefined;
  const member = { path: scopes.memberOf(index), expected: 'a scope of the credential' };
  return { right: 'scope', members: [member] };
}
