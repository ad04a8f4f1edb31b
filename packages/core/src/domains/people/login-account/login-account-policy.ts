/**
 * Decides which callers may change an account in the platform's views
 * (docs/contract/login-accounts.md#log-26).
 */
import type { Principal } from '../../../kernel/access/principal.js';
import type { StoredAccount } from '../account/stored-account.js';

/** The decision on a request to change an account. */
export type LoginAccountDecision =
  | { readonly type: 'proceed'; readonly account: StoredAccount }
  | { readonly type: 'forbidden' }
  | { readonly type: 'stale' };

/** The caller of a change, already authorized to use the operation. */
type Caller = Pick<Principal, 'kind' | 'id' | 'role' | 'global'>;

/** Decides in this order: unknown or foreign, disabled, not manageable, stale revision. */
export function decideChange(
  caller: Caller,
  account: StoredAccount | undefined,
  expectedRevision: number,
): LoginAccountDecision {
  if (account === undefined || account.disabledAtMillis !== null || !mayManage(caller, account)) {
    return { type: 'forbidden' };
  }
  if (account.revision !== expectedRevision) return { type: 'stale' };
  return { type: 'proceed', account };
}

/**
 * Only a SuperAdmin, the master and the account itself manage an account with rights over others.
 */
function mayManage({ kind, id, role, global }: Caller, account: StoredAccount): boolean {
  const hasRights = account.roles.some((each) => each === 'Admin' || each === 'SuperAdmin');
  // The master keeps its power in any account that it acts through, whatever the roles of the
  // account.
  if (!hasRights || role === 'SuperAdmin' || global?.isMaster === true) return true;
  return kind === 'account' && id === account.id;
}
