/**
 * Changes an account on behalf of a caller. Rights and state are checked before a password is
 * hashed, and again in the transaction that stores the change with its events.
 */
import { passwords } from '../../../kernel/ports/counted-hasher.js';
import type { EventSubject } from '../../../kernel/audit/call-events.js';
import type { Principal } from '../../../kernel/access/principal.js';
import { type AccountChange, plannedChange, storeAccountChange } from './change-account.js';
import type { StoredAccount } from '../account/stored-account.js';
import { showUser } from '../account/show-account.js';
import type { User } from '../account/schema.js';
import { prepareLockoutChange, settleNewPassword } from '../lockout/change-lockout.js';
import type { InputSchemas } from '../../../kernel/input/input-rules.js';
import type { AccountRequest } from '../../../kernel/operation/requests.js';
import type { ReadTx } from '../../../storage/store/store.js';
import { actorIdOf, isSelf } from './managed-user.js';
import { changeEvents } from './user-events.js';

/** A requested change. */
export interface UserChange extends Omit<AccountChange, 'hasNewPassword'> {
  /** A password that follows the rule. */
  readonly password?: string | undefined;
}

/**
 * Applies a change completely or not at all. `find` returns the account if the caller may make this
 * change.
 *
 * @throws {AgentkeepError} what `find` throws; `account_disabled`, `already_exists`, `last_admin`;
 * `login_busy` when too many passwords wait to be hashed.
 */
export async function changeUser(
  request: AccountRequest<InputSchemas>,
  { password, ...members }: UserChange,
  find: (tx: ReadTx, caller: Principal) => StoredAccount,
): Promise<User> {
  const { runtime, nowMs } = request;
  const change: AccountChange = { ...members, hasNewPassword: password !== undefined };
  const { authority, username } = await runtime.store.read((tx) => {
    const account = find(tx, request.principal);
    plannedChange(tx, account, change);
    return account;
  });
  const passwordHash =
    password === undefined
      ? undefined
      : await passwords.of(runtime).hash(password, { authority, purpose: 'change' });
  // The name of an account never changes, so this can be prepared before the transaction.
  const lockout = prepareLockoutChange(runtime, { authority, username });
  return runtime.store.transact((tx) => {
    const caller = request.confirm(tx);
    const before = find(tx, caller);
    const planned = plannedChange(tx, before, change);
    if (planned === undefined) return showUser(before);
    const record = (event: EventSubject): void => request.record(tx, event);
    const mark = { actorId: actorIdOf(caller), nowMs, passwordHash, record };
    const after = storeAccountChange(tx, before, planned, mark);
    if (passwordHash !== undefined) settleNewPassword(tx, lockout);
    const isOwn = isSelf(request, caller, before.id);
    const newPassword = passwordHash === undefined ? undefined : { isOwn };
    for (const event of changeEvents({ before, after, newPassword })) request.record(tx, event);
    return showUser(after);
  });
}
