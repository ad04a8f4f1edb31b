/** Decides whether a principal's credential covers what an operation of a tenant requires. */
import {
  AgentkeepError,
  type AgentkeepErrorOptions,
} from '../../contract/errors/agentkeep-error.js';
import { heldCapability, type RequiredCapability } from './capability.js';
import { coversScope, differingMembers } from './grant-policy.js';
import type { ActingCredential, Principal } from './principal.js';
import type { Scope, ScopeAuthority } from './scope.js';

/** What an operation requires of its caller. */
export interface Requirement {
  readonly capability?: RequiredCapability | undefined;
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
 * @throws {AgentkeepError} `forbidden` when it has no credential, capability or scope for it. The
 * message names the capability; the members name the first scope that is missing, and in what it
 * differs from those that the credential is granted.
 */
export function authorize(principal: Principal, requirement: Requirement): ActingCredential {
  const { credential } = principal;
  if (credential === null) throw new AgentkeepError('forbidden', { message: NO_CREDENTIAL });
  const missing = missingRight(credential, requirement);
  if (missing === undefined) return credential;
  throw new AgentkeepError('forbidden', missing.error);
}

const NO_CREDENTIAL =
  'The caller is an account that acts with no credential of a tenant, so it has no capabilities or ' +
  'scopes there. Log in with an account that has one, or send the secret of a credential.';

/** Returns the name of the required right that a credential has, as in the audit log. */
export function rightOf({ capability, scope }: Requirement, { spec }: ActingCredential): string {
  const held = capability && heldCapability(capability, spec.capabilities);
  return held ?? (scope === undefined ? 'authority' : 'scope');
}

/** Returns the right that a principal lacks, or `authority` if it lacks none. */
export function deniedRight({ credential }: Principal, requirement: Requirement): string {
  return (credential && missingRight(credential, requirement)?.right) ?? 'authority';
}

/** A missing right of a credential, and the options of its error. */
interface MissingRight {
  readonly right: string;
  readonly error: Pick<AgentkeepErrorOptions, 'members' | 'message'>;
}

function missingRight(
  { spec }: ActingCredential,
  { capability, scope, scopes }: Requirement,
): MissingRight | undefined {
  if (capability !== undefined && heldCapability(capability, spec.capabilities) === undefined) {
    const named = [capability].flat();
    const message =
      `The credential lacks the capability ${named.map((each) => `\`${each}\``).join(' or ')}. ` +
      'Ask an administrator for a credential that has it.';
    return { right: named[0] ?? 'authority', error: { message } };
  }
  if (scope !== undefined && !coversScope(spec, scope)) return missingScope(spec, scope, 'scope');
  const index = scopes?.all.findIndex((each) => !coversScope(spec, each)) ?? -1;
  const refused = scopes?.all[index];
  if (scopes === undefined || refused === undefined) return undefined;
  return missingScope(spec, refused, scopes.memberOf(index));
}

/** Says in what a scope differs from those that the caller knows to be granted to it. */
function missingScope(spec: ScopeAuthority, scope: Scope, path: string): MissingRight {
  const differing = differingMembers(spec, scope);
  const nearest =
    differing === undefined
      ? 'it is granted none'
      : `the nearest one differs in ${differing.join(' and ')}`;
  const expected = `a scope granted to the credential, but ${nearest}`;
  return { right: 'scope', error: { members: [{ path, expected }] } };
}
