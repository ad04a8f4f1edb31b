/** `unlockAccount`: lets a name log in again. */
import { username } from '../account/schema.js';
import {
  succeeded,
  SuccessResponse,
  TenantParameters,
} from '../../../kernel/lists/account-lists.js';
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { defineAccountOperation } from '../../../kernel/operation/define-operation.js';
import { accountChecks } from '../../../kernel/operation/orders-of-checks.js';
import { byCaller, confirmRightOver } from './administer-lockout.js';
import { changeLockout, prepareLockoutChange } from './change-lockout.js';
import { accountUnlocked } from './lockout-events.js';
import { afterAdminUnlock } from './lockout-policy.js';

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
