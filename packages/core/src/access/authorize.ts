/** Decides whether a principal's credential covers what an operation of a tenant requires. */
import { AgentkeepError } from '../contract/errors/agentkeep-error.js';
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
  if (credential === null || missingRight(credential, requirement) !== undefined) {
    throw new AgentkeepError('forbidden');
  }
  const { scopes } = requirement;
  const missing = scopes?.all.findIndex((scope) => !coversScope(credential.spec, scope)) ?? -1;
  if (scopes === undefined || missing === -1) return credential;
  const members = [{ path: scopes.memberOf(missing), expected: 'a scope of the credential' }];
  throw new AgentkeepError('forbidden', { members });
}

/** Returns the name of the required right in the audit log. */
export function rightOf(requirement: Requirement): string {
  return requirement.capability ?? (requirement.scope === undefined ? 'authority' : 'scope');
}

/** Returns the right that a principal lacks, or `authority` if it lacks none. */
export function deniedRight({ credential }: Principal, requirement: Requirement): string {
  if (credential === null) return 'authority';
  const hasScopes = requirement.scopes !== undefined;
  return missingRight(credential, requirement) ?? (hasScopes ? 'scope' : 'authority');
}

function missingRight(
  { spec }: ActingCredential,
  { capability, scope }: Requirement,
): string | undefined {
  if (capability !== undefined && !spec.capabilities.includes(capability)) return capability;
  return scope === undefined || coversScope(spec, scope) ? undefined : 'scope';
}
