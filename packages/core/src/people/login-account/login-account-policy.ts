/**
 * Who may change an account in the platform's views, and what refuses a change: pure rules
 * (contract, administration 4, 5.3 and 5.4).
 *
 * @module
 */
import type { Principal } from '../../access/principal.js';
import type { StoredAccount } from '../account/stored-account.js';

/** What a request to change an account comes to. */
export type LoginAccountDecision =
  | { readonly type: 'proceed'; readonly account: StoredAccount }
  | { readonly type: 'forbidden' }
  | { readonly type: 'stale' };

/** The caller of a change, already authorized to use the operation. */
type Caller = Pick<Principal, 'kind' | 'id' | 'role' | 'global'>;

/** Unknown or foreign, disabled, not manageable; only then the revision. */
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

/** An account with rights over others is left to a SuperAdmin, to the master and to itself. */
function mayManage({ kind, id, role, global }: Caller, account: StoredAccount): boolean {
  const hasRights = account.roles.some((each) => each === 'Admin' || each === 'SuperAdmin');
  // The master has its power in whichever account it acts through, whatever roles that one holds.
  if (!hasRights || role === 'SuperAdmin' || global?.isMaster === true) return true;
  return kind === 'account' && id === account.id;
}
