/** `resetPassword`: an administrator replaces the password of an account. */
import { exampleId, otherExamplePassword } from '../../../contract/example-values.js';
import {
  succeeded,
  SuccessResponse,
  TenantParameters,
} from '../../../kernel/lists/account-lists.js';
import { SECRET_DOCUMENT_BYTES_MAX } from '../../../contract/limits.js';
import { requireStrongPassword } from '../password/require-strong-password.js';
import { defineAccountOperation } from '../../../kernel/operation/define-operation.js';
import { accountChecks } from '../../../kernel/operation/orders-of-checks.js';
import { uuid } from '../../../contract/schema/uuid.js';
import { changeUser } from './change-user.js';
import { managedUser } from './managed-user.js';
import { ResetPasswordRequest } from './schema.js';

/** Doesn't ask for the old password. Ends a lock that failures caused. */
export const resetPassword = defineAccountOperation({
  name: 'resetPassword',
  summary: 'Replace the password of an account; its sessions and programs end.',
  example: { id: exampleId, parameters: {}, document: { new_password: otherExamplePassword } },
  command: {
    name: 'people reset-password',
    examples: ['agentkeep people reset-password <user-id> --new-password-file -'],
  },
  tag: 'Users',
  input: { id: uuid(), parameters: TenantParameters, document: ResetPasswordRequest },
  document: { bytesMax: SECRET_DOCUMENT_BYTES_MAX },
  whenFull: 'served',
  output: SuccessResponse,
  requires: { role: 'Admin' },
  checks: accountChecks,
  errors: ['weak_password', 'target_not_found', 'account_disabled', 'login_busy'],
  handler: async (request) => {
    const { id, document } = request.input;
    const { new_password: password } = document;
    requireStrongPassword(password);
    await changeUser(request, { password }, (tx, caller) => managedUser(tx, request, caller, id));
    return succeeded(
      'The password is reset, and the sessions and connected programs of the account have ended.',
    );
  },
});
