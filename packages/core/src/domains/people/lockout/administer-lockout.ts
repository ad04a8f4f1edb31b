/** Shared by locking and unlocking a name: the right to do it, and the event. */
import { tenantIdOf } from '../../../kernel/access/authority.js';
import { missingRight } from '../../../kernel/access/authorize-party.js';
import { isPrivileged } from '../account/account-principal.js';
import { findAccountByName } from '../account/account-store.js';
import { eventActorOf, type EventSubject } from '../../../kernel/audit/call-events.js';
import type { InputSchemas } from '../../../kernel/input/input-rules.js';
import type { AccountRequest } from '../../../kernel/operation/requests.js';
import type { WriteTx } from '../../../storage/store/store.js';

/**
 * Confirms that the caller may lock and unlock a name; says whether an account has it.
 * @throws {AgentkeepError} `forbidden` when the caller can't manage that account.
 */
export function confirmRightOver<I extends InputSchemas>(
  request: AccountRequest<I>,
  tx: WriteTx,
  username: string,
): boolean {
  const caller = request.confirm(tx);
  const account = findAccountByName(tx, request.authority, username);
  if (account === undefined) return false;
  const manager = { role: caller.role, isCredential: caller.kind === 'credential' };
  const traits = { roles: account.roles, isPrivileged: isPrivileged(tx, account) };
  const right = missingRight(manager, traits);
  if (right !== undefined) request.deny(right);
  return true;
}

/** An event of the caller, in the chain of the authority that the name is in. */
export function byCaller<I extends InputSchemas>(
  { principal, authority }: AccountRequest<I>,
  subject: EventSubject,
): EventSubject {
  return { ...subject, actor: { ...eventActorOf(principal), tenantId: tenantIdOf(authority) } };
}
