/** `setUserRoles`: replaces the roles of an account. */
import { exampleId } from '../../../contract/example-values.js';
import { User } from '../account/schema.js';
import { TenantParameters } from '../../../kernel/lists/account-lists.js';
import { defineAccountOperation } from '../../../kernel/operation/define-operation.js';
import { accountChecks } from '../../../kernel/operation/orders-of-checks.js';
import { uuid } from '../../../contract/schema/uuid.js';
import { changeUser } from './change-user.js';
import { managedUser, requireGrantable } from './managed-user.js';
import { SetRolesRequest } from './schema.js';

/** The same set in another order changes nothing. */
export const setUserRoles = defineAccountOperation({
  name: 'setUserRoles',
  summary: 'Replace the roles of an account; its sessions end.',
  example: { id: exampleId, parameters: {}, document: { roles: ['Read'] } },
  command: {
    name: 'people set-roles',
    examples: ['agentkeep people set-roles <id> --roles Read --roles Write'],
  },
  tag: 'Users',
  input: { id: uuid(), parameters: TenantParameters, document: SetRolesRequest },
  whenFull: 'served',
  output: User,
  requires: { role: 'Admin' },
  checks: accountChecks,
  errors: ['target_not_found', 'account_disabled', 'last_admin'],
  handler: (request) => {
    const { id, document } = request.input;
    const { roles } = document;
    return changeUser(request, { roles }, (tx, caller) => {
      requireGrantable(request, caller, roles);
      return managedUser(tx, request, caller, id);
    });
  },
});
