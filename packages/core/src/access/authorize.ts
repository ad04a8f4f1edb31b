/** Decides whether a credential of a tenant covers what an operation requires. */
import { AgentkeepError } from '../contract/errors/agentkeep-error.js';
import type { Capability } from './capability.js';
import { coversScope } from './grant-policy.js';
import type { ActingCredential, Principal } from './principal.js';
import type { Scope } from './scope.js';

/** What a call requires of its caller's credential. */
export interface Requirement {
  readonly capability?: Capability | undefined;
  readonly scope?: Scope | undefined;
}

/**
 * Returns the credential that the principal acts with, if it covers the requirement.
 *
 * @throws {AgentkeepError} `forbidden` when capability or scope is missing, or there is no credential.
 */
export function authorize(principal: Principal, requirement: Requirement): ActingCredential {
  const { credential } = principal;
  if (credential === null || missingRight(credential, requirement) !== undefined) {
    throw new AgentkeepError('forbidden');
  }
  return credential;
}

/** Returns the right that a requirement is about, as the audit log names it. */
export function rightOf(requirement: Requirement): string {
  return requirement.capability ?? (requirement.scope === undefined ? 'authority' : 'scope');
}

/** Returns the right that a principal lacks, or `authority` when it lacks none. */
export function deniedRight({ credential }: Principal, requirement: Requirement): string {
  return (credential && missingRight(credential, requirement)) ?? 'authority';
}

function missingRight(
  { spec }: ActingCredential,
  { capability, scope }: Requirement,
): string | undefined {
  if (capability !== undefined && !spec.capabilities.includes(capability)) return capability;
  return scope === undefined || coversScope(spec, scope) ? undefined : 'scope';
}
