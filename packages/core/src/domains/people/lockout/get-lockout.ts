/** `getLockout`: shows the status of one name. */
import { username } from '../account/schema.js';
import { TenantParameters } from '../../../kernel/lists/account-lists.js';
import { defineAccountOperation } from '../../../kernel/operation/define-operation.js';
import { accountChecks } from '../../../kernel/operation/orders-of-checks.js';
import { readLockoutStatus } from './read-lockouts.js';
import { UserLockout } from './schema.js';

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
