/**
 * Finds the account that a call is about, and refuses callers without a right to it
 * (docs/contract/users.md#usr-15).
 */
import { keyOfAuthority, type Principal } from '../../../kernel/access/principal.js';
import { findBindable, isPrivileged } from '../account/account-principal.js';
import { findAccount } from '../account/account-store.js';
import type { StoredAccount } from '../account/stored-account.js';
import { isLive } from '../../tenancy/credential/credential-policy.js';
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import type { InputSchemas } from '../../../kernel/input/input-rules.js';
import type { AccountRequest } from '../../../kernel/operation/requests.js';
import type { ReadTx } from '../../../storage/store/store.js';
import {
  type Manager,
  mayBindCredential,
  missingRight,
  missingRightToGrant,
} from '../../../kernel/access/authorize.js';

/** The parts of a call that are needed to find an account. */
export type UserRequest = Pick<AccountRequest<InputSchemas>, 'authority' | 'deny'>;

/** Returns the traits of a caller that decide its rights over accounts. */
function managerOf({ kind, role }: Principal): Manager {
  return { role, isCredential: kind === 'credential' };
}

/** Returns the id that histories name for a change: the acting credential, else the account. */
export function actorIdOf({ id, credential, global }: Principal): string {
  return (credential ?? global)?.id ?? id;
}

/** Returns whether a caller is the account with an id, in the authority that the call acts in. */
export function isSelf({ authority }: UserRequest, caller: Principal, id: string): boolean {
  return (
    caller.kind === 'account' && caller.id === id && keyOfAuthority(caller.authority) === authority
  );
}

/**
 * Returns an account that the caller may see: itself, or any of an administrator's authority.
 *
 * @throws {AgentkeepError} `forbidden` for any other caller, whether or not the account exists;
 * `target_not_found`
 */
export function visibleUser(
  tx: ReadTx,
  request: UserRequest,
  caller: Principal,
  id: string,
): StoredAccount {
  if (caller.role === null && !isSelf(request, caller, id)) request.deny('admin');
  const account = findAccount(tx, request.authority, id);
  if (account !== undefined && account.deletedAtMillis === null) return account;
  throw new AgentkeepError('target_not_found');
}

/**
 * Returns an account that the caller may manage.
 *
 * @throws {AgentkeepError} `forbidden`, `target_not_found`
 */
export function managedUser(
  tx: ReadTx,
  request: UserRequest,
  caller: Principal,
  id: string,
): StoredAccount {
  const account = visibleUser(tx, request, caller, id);
  const { roles } = account;
  const right = missingRight(managerOf(caller), { roles, isPrivileged: isPrivileged(tx, account) });
  if (right !== undefined) request.deny(right);
  return account;
}

/**
 * Returns an account that the caller is or may manage.
 *
 * @throws {AgentkeepError} `forbidden`, `target_not_found`
 */
export function ownOrManagedUser(
  tx: ReadTx,
  request: UserRequest,
  caller: Principal,
  id: string,
): StoredAccount {
  return isSelf(request, caller, id)
    ? visibleUser(tx, request, caller, id)
    : managedUser(tx, request, caller, id);
}

/**
 * Refuses a caller that may not give an account these roles.
 *
 * @throws {AgentkeepError} `forbidden`
 */
export function requireGrantable(
  request: UserRequest,
  caller: Principal,
  roles: readonly string[],
): void {
  const right = missingRightToGrant(managerOf(caller), roles);
  if (right !== undefined) request.deny(right);
}

/** What an account gets. */
export interface GivenRights {
  readonly roles: readonly string[];
  readonly credentialId: string | null;
}

/**
 * Refuses a caller that may not give an account these roles and this credential.
 *
 * @throws {AgentkeepError} `forbidden`
 */
export function requireMayGive(
  tx: ReadTx,
  request: UserRequest & { readonly nowMs: number },
  caller: Principal,
  { roles, credentialId }: GivenRights,
): void {
  requireGrantable(request, caller, roles);
  if (credentialId === null) return;
  if (!mayBindCredential(caller, request.authority)) request.deny('credential_admin');
  const credential = findBindable(tx, request.authority, credentialId);
  if (credential === undefined || !isLive(credential, request.nowMs)) request.deny('authority');
}
