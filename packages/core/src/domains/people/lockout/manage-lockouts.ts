/** The operations that lock and unlock accounts, and show a lockout. */
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { tenantIdOf } from '../../../kernel/access/principal.js';
import { missingRight } from '../../../kernel/access/authorize.js';
import { eventActorOf, type EventSubject } from '../../../kernel/audit/call-events.js';
import type { InputSchemas } from '../../../kernel/input/input-rules.js';
import {
  succeeded,
  SuccessResponse,
  TenantParameters,
} from '../../../kernel/lists/account-lists.js';
import { defineAccountOperation } from '../../../kernel/operation/define-operation.js';
import { accountChecks } from '../../../kernel/operation/orders-of-checks.js';
import type { AccountRequest } from '../../../kernel/operation/requests.js';
import type { WriteTx } from '../../../storage/store/store.js';
import { isPrivileged } from '../account/account-principal.js';
import { findAccountByName } from '../account/account-store.js';
import { username } from '../account/schema.js';
import { changeLockout, prepareLockoutChange } from './change-lockout.js';
import { accountLocked, accountUnlocked } from './lockout-events.js';
import { afterAdminLock, afterAdminUnlock } from './lockout-policy.js';
import { readLockoutStatus } from './read-lockouts.js';
import { LockRequest, UserLockout } from './schema.js';

/**
 * Locks a name until an administrator unlocks it, whether or not an account has it. Only logins are
 * stopped; sessions, tokens and keys go on.
 */
export const lockAccount = defineAccountOperation({
  name: 'lockAccount',
  summary: 'Lock a name until it is unlocked.',
  example: { id: 'ann', parameters: {}, document: { reason: 'Under investigation.' } },
  command: {
    name: 'lockouts lock',
    examples: ["agentkeep lockouts lock ann --reason 'Under investigation.'"],
  },
  tag: 'Lockouts',
  input: { id: username(), parameters: TenantParameters, document: LockRequest },
  whenFull: 'served',
  output: SuccessResponse,
  requires: { role: 'Admin' },
  checks: accountChecks,
  async handler(request) {
    const { runtime, input, authority } = request;
    const name = { authority, username: input.id };
    const { reason = null } = input.document;
    const change = prepareLockoutChange(runtime, name);
    await runtime.store.transact((tx) => {
      const isKnown = confirmRightOver(request, tx, name.username);
      changeLockout(tx, { ...change, isKnown }, (lockout) =>
        afterAdminLock(lockout, reason, change.nowMs),
      );
      request.record(tx, byCaller(request, accountLocked(name, reason)));
    });
    return succeeded('The name is locked.');
  },
});

/** Ends any lock of a name and clears its failures. The count of locks is kept. */
export const unlockAccount = defineAccountOperation({
  name: 'unlockAccount',
  summary: 'Unlock a name and forget its failed logins.',
  example: { id: 'ann', parameters: {} },
  command: { name: 'lockouts unlock' },
  tag: 'Lockouts',
  input: { id: username(), parameters: TenantParameters },
  whenFull: 'served',
  output: SuccessResponse,
  requires: { role: 'Admin' },
  checks: accountChecks,
  errors: ['lockout_not_found'],
  async handler(request) {
    const { runtime, input, authority } = request;
    const name = { authority, username: input.id };
    const change = prepareLockoutChange(runtime, name);
    const { before } = await runtime.store.transact((tx) => {
      const isKnown = confirmRightOver(request, tx, name.username);
      const changed = changeLockout(
        tx,
        { ...change, isKnown },
        (lockout) => lockout && afterAdminUnlock(lockout, change.nowMs),
      );
      if (changed.before !== undefined && changed.before.lock !== null) {
        request.record(tx, byCaller(request, accountUnlocked(name, 'manual')));
      }
      return changed;
    });
    // After the commit, which may have ended a lock that was remembered until now.
    if (before === undefined) {
      throw new AgentkeepError('lockout_not_found', { details: { success: false } });
    }
    return succeeded('The name is unlocked.');
  },
});

/** Shows failed logins and lock of a name; all zero without a record. */
export const getLockout = defineAccountOperation({
  name: 'getLockout',
  summary: 'Read failed logins and lock of a name.',
  example: { id: 'ann', parameters: {} },
  command: { name: 'lockouts show' },
  tag: 'Lockouts',
  effect: 'read',
  input: { id: username(), parameters: TenantParameters },
  output: UserLockout,
  requires: { role: 'Admin' },
  checks: accountChecks,
  async handler({ runtime, input: { id: username }, authority }) {
    return { username, status: await readLockoutStatus(runtime, { authority, username }) };
  },
});

/**
 * Confirms that the caller may lock and unlock a name; says whether an account has it.
 * @throws {AgentkeepError} `forbidden` when the caller can't manage that account.
 */
function confirmRightOver<I extends InputSchemas>(
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
function byCaller<I extends InputSchemas>(
  { principal, authority }: AccountRequest<I>,
  subject: EventSubject,
): EventSubject {
  return { ...subject, actor: { ...eventActorOf(principal), tenantId: tenantIdOf(authority) } };
}
