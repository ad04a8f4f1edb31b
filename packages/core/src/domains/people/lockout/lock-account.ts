/** `lockAccount`: locks a name manually. */
import { username } from '../account/schema.js';
import {
  succeeded,
  SuccessResponse,
  TenantParameters,
} from '../../../kernel/lists/account-lists.js';
import { defineAccountOperation } from '../../../kernel/operation/define-operation.js';
import { accountChecks } from '../../../kernel/operation/orders-of-checks.js';
import { byCaller, confirmRightOver } from './administer-lockout.js';
import { changeLockout, prepareLockoutChange } from './change-lockout.js';
import { accountLocked } from './lockout-events.js';
import { afterAdminLock } from './lockout-policy.js';
import { LockRequest } from './schema.js';

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
