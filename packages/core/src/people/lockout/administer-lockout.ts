/** Shared by locking and unlocking a name: the right to do it, and the event. */
import { tenantIdOf } from '../../access/authority.js';
import { hasRole } from '../../access/authorize-party.js';
import { adminRoleOf } from '../../access/role.js';
import { findAccountByName } from '../account/account-store.js';
import { eventActorOf, type EventSubject } from '../../runtime/audit/call-events.js';
import type { InputSchemas } from '../../runtime/input/input-rules.js';
import type { AccountRequest } from '../../runtime/operation/requests.js';
import type { WriteTx } from '../../storage/store/store.js';

/**
 * Confirms that the caller may lock and unlock a name; says whether an account has it.
 * @throws {AgentkeepError} `forbidden` when that account holds a role with rights and the caller is
 * no SuperAdmin.
 */
export function confirmRightOver<I extends InputSchemas>(
  request: AccountRequest<I>,
  tx: WriteTx,
  username: string,
): boolean {
  const caller = request.confirm(tx);
  const account = findAccountByName(tx, request.authority, username);
  if (account === undefined) return false;
  const isAdmin = adminRoleOf(account.roles) !== null;
  if (isAdmin && !hasRole(caller, 'SuperAdmin')) request.deny('super_admin');
  return true;
}

/** An event of the caller, in the chain of the authority that the name is in. */
export function byCaller<I extends InputSchemas>(
  { principal, authority }: AccountRequest<I>,
  subject: EventSubject,
): EventSubject {
  return { ...subject, actor: { ...eventActorOf(principal), tenantId: tenantIdOf(authority) } };
}
