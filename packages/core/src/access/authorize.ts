/**
 * The one place where a principal's authority is weighed against what an operation requires.
 * @module
 */
import { AgentkeepError } from '../errors/agentkeep-error.js';
import type { Capability } from './capability.js';
import { coversScope } from './grant-policy.js';
import type { ActingCredential, AdminRole, Principal } from './principal.js';
import type { Scope } from './scope.js';

/** What an operation asks of its caller. */
export interface Requirement {
  readonly capability?: Capability | undefined;
  readonly scope?: Scope | undefined;
}

/**
 * The credential that the principal acts with, if it covers the requirement.
 * @throws {AgentkeepError} `forbidden` when capability or scope is missing, or it acts with none.
 */
export function authorize(principal: Principal, requirement: Requirement): ActingCredential {
  const { credential } = principal;
  if (credential === null) throw new AgentkeepError('forbidden');
  const { capability, scope } = requirement;
  if (capability !== undefined && !credential.spec.capabilities.includes(capability)) {
    throw new AgentkeepError('forbidden');
  }
  if (scope !== undefined && !coversScope(credential.spec, scope)) {
    throw new AgentkeepError('forbidden');
  }
  return credential;
}

/**
 * Refuses a principal whose role is too low for the account surface.
 * @throws {AgentkeepError} `forbidden`
 */
export function authorizeRole(principal: Principal, role: AdminRole): void {
  const isEnough = principal.role === 'SuperAdmin' || principal.role === role;
  if (!isEnough) throw new AgentkeepError('forbidden');
}
