/**
 * Decides whether a principal may do what an operation requires.
 *
 * Decides who may call an account operation, by role or by being an account at all, and which
 * right over an account a caller lacks (docs/contract/users.md#usr-15).
 *
 * Decides who may call an operation of the installation: which principals, and with which
 * capability (docs/contract/conventions.md#con-60).
 */
import {
  AgentkeepError,
  type AgentkeepErrorOptions,
} from '../../contract/errors/agentkeep-error.js';
import type { AdminRole, Capability, GlobalCapability, RequiredCapability } from './capability.js';
import { coversScope, differingMembers } from './grant-policy.js';
import type { ActingCredential, ActingGlobalCredential, Principal } from './principal.js';
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
  const missing = missingCapability(credential, requirement);
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

/** Returns the first of the required capabilities that are held, or `undefined`. */
function heldCapability(
  required: RequiredCapability,
  held: readonly Capability[],
): Capability | undefined {
  if (typeof required === 'string') return held.includes(required) ? required : undefined;
  return required.find((each) => held.includes(each));
}

/** Returns the right that a principal lacks, or `authority` if it lacks none. */
export function deniedRight({ credential }: Principal, requirement: Requirement): string {
  return (credential && missingCapability(credential, requirement)?.right) ?? 'authority';
}

/** A missing right of a credential, and the options of its error. */
interface MissingRight {
  readonly right: string;
  readonly error: Pick<AgentkeepErrorOptions, 'members' | 'message'>;
}

function missingCapability(
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

/** Requires a role in the caller's authority. */
interface RoleRequirement {
  /** The least role. */
  readonly role: AdminRole;
  /** Whether that authority must be the installation. */
  readonly isInstallation?: boolean;
  readonly party?: never;
}

/** Requires a kind of party. */
interface KindRequirement {
  readonly role?: never;
  readonly isInstallation?: never;
  /**
   * - `account`: any account, for its own resources
   * - `login`: an account in a session; an API key is not enough
   * - `session`: an account in a session; any other caller is `unauthorized`
   * - `self`: any account for itself, and an administrator for others
   */
  readonly party: 'account' | 'login' | 'session' | 'self';
}

/** What an account operation requires of its caller. */
export type PartyRequirement = RoleRequirement | KindRequirement;

/**
 * Refuses a principal that an operation is not for.
 *
 * @throws {AgentkeepError} `forbidden`; `unauthorized` where only a session counts as a proof.
 */
export function authorizeParty(principal: Principal, requirement: PartyRequirement): void {
  if (isCovered(principal, requirement)) return;
  if (requirement.party === 'session') throw new AgentkeepError('unauthorized');
  throw new AgentkeepError('forbidden', { message: messageOf(requirement, principal) });
}

function messageOf(
  { role, isInstallation = false, party }: PartyRequirement,
  caller: Principal,
): string {
  const isOfTenant = caller.kind === 'credential' && caller.authority.kind === 'tenant';
  // Such a credential has the role by this capability.
  if (isOfTenant && role === 'Admin' && !isInstallation) {
    return 'This operation needs the capability credential_admin. Ask an administrator of the tenant.';
  }
  if (role !== undefined) {
    const where = isInstallation ? ' of the installation' : '';
    return `This operation needs the role ${role}${where}. Ask someone who has it.`;
  }
  return party === 'login'
    ? 'This operation is for an account in a session. Log in with name and password.'
    : 'This operation is for accounts. Log in, or send an API key of an account.';
}

/** Returns the name of the required right in the audit log. */
export function rightOfParty({ role: held }: Principal, { role, party }: PartyRequirement): string {
  if (role !== undefined) return rightOfRole(role);
  return party === 'self' && held !== null ? rightOfRole(held) : 'self';
}

/** Returns whether a principal has a role, or one that includes it. */
export function hasRole({ role: held }: Principal, role: AdminRole): boolean {
  return held === 'SuperAdmin' || held === role;
}

function isCovered(principal: Principal, requirement: PartyRequirement): boolean {
  if (requirement.party === undefined) {
    const { role, isInstallation = false } = requirement;
    return hasRole(principal, role) && (!isInstallation || principal.authority.kind === 'global');
  }
  switch (requirement.party) {
    case 'account':
      return principal.kind === 'account';
    case 'login':
    case 'session':
      return isInSession(principal);
    case 'self':
      return principal.kind === 'account' || principal.role !== null;
  }
}

function rightOfRole(role: AdminRole): string {
  return role === 'Admin' ? 'admin' : 'super_admin';
}

function isInSession(principal: Principal): boolean {
  return principal.kind === 'account' && principal.presence.kind === 'session';
}

/** A caller that manages accounts. */
export interface Manager {
  /** Its role in the authority of the accounts. */
  readonly role: AdminRole | null;
  /** Whether it is a credential, whose rights don't come from a role. */
  readonly isCredential: boolean;
}

/** The traits of an account that decide who may manage it. */
interface ManagedAccount {
  readonly roles: readonly string[];
  /** Whether it acts with a credential that issues others, or with one of the installation. */
  readonly isPrivileged: boolean;
}

/** A right, as the audit log names it. */
type ManagementRight = 'admin' | 'super_admin';

/** Returns the missing right to manage an account, or `undefined`. */
export function missingRight(
  { role, isCredential }: Manager,
  { roles, isPrivileged }: ManagedAccount,
): ManagementRight | undefined {
  if (role === null) return 'admin';
  if (role === 'SuperAdmin') return undefined;
  // Otherwise a role could take over what only a credential was trusted with.
  const isBeyondRole = isPrivileged && !isCredential;
  return hasAdminRole(roles) || isBeyondRole ? 'super_admin' : undefined;
}

/**
 * Returns the missing right to give an account these roles. Removing roles needs no more than
 * managing it.
 */
export function missingRightToGrant(
  { role }: Manager,
  roles: readonly string[],
): ManagementRight | undefined {
  return hasAdminRole(roles) && role !== 'SuperAdmin' ? 'super_admin' : undefined;
}

/**
 * Returns whether a caller may bind a new account of an authority, given as the tenant part of
 * keys, to a credential: the caller must be able to issue such credentials itself.
 */
export function mayBindCredential(
  { credential, global }: Pick<Principal, 'credential' | 'global'>,
  target: string,
): boolean {
  if (global !== null) return global.isMaster;
  if (credential?.tenantId !== target) return false;
  return credential.spec.capabilities.includes('credential_admin');
}

function hasAdminRole(roles: readonly string[]): boolean {
  const withRights: readonly AdminRole[] = ['Admin', 'SuperAdmin'];
  return withRights.some((role) => roles.includes(role));
}

/** What an operation of the installation requires of its caller: a capability, or the master. */
export type GlobalRequirement = GlobalCapability | 'master' | 'any';

/**
 * Returns the credential of the installation that the principal acts with.
 *
 * @throws {AgentkeepError} `forbidden` for principals of tenants and for accounts without one.
 */
function globalCredentialOf({ global }: Principal): ActingGlobalCredential {
  if (global === null) throw new AgentkeepError('forbidden', { message: NO_GLOBAL_CREDENTIAL });
  return global;
}

const NO_GLOBAL_CREDENTIAL =
  'This operation is for credentials of the installation, and the caller acts with none. ' +
  'Send the secret of one.';

/**
 * Refuses principals that act with a credential of the installation in operations of tenants, where
 * their proofs do not count. An account without a credential lacks authority, which is another
 * refusal.
 *
 * @throws {AgentkeepError} `unauthorized`
 */
export function refuseGlobalPrincipal(principal: Principal): void {
  if (principal.global !== null) throw new AgentkeepError('unauthorized');
}

/**
 * Returns the credential of the installation that the principal acts with, if it covers the
 * requirement.
 *
 * @throws {AgentkeepError} `forbidden`
 */
export function authorizeGlobal(
  principal: Principal,
  requirement: GlobalRequirement,
): ActingGlobalCredential {
  const credential = globalCredentialOf(principal);
  if (covers(credential, requirement)) return credential;
  const message =
    requirement === 'master'
      ? 'This operation is for the master of the installation. Send its secret.'
      : `The credential lacks the capability \`${requirement}\` of the installation. ` +
        'Ask its master for a credential that has it.';
  throw new AgentkeepError('forbidden', { message });
}

/** Returns the name of the required right in the audit log. */
export function rightOfGlobal(requirement: GlobalRequirement): string {
  return requirement === 'any' || requirement === 'master' ? 'authority' : requirement;
}

function covers(
  { isMaster, spec }: ActingGlobalCredential,
  requirement: GlobalRequirement,
): boolean {
  if (requirement === 'any') return true;
  return requirement === 'master' ? isMaster : spec.capabilities.includes(requirement);
}
