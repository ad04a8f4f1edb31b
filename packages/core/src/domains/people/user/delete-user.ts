/** `deleteUser`: ends an account for good. */
import { exampleId } from '../../../contract/example-values.js';
import { storeDeletion } from './change-account.js';
import { apiKeyRevoked } from '../api-key/manage-api-keys.js';
import { removeApiKeysOf } from '../api-key/api-key-store.js';
import {
  succeeded,
  SuccessResponse,
  TenantParameters,
} from '../../../kernel/lists/account-lists.js';
import { defineAccountOperation } from '../../../kernel/operation/define-operation.js';
import { accountChecks } from '../../../kernel/operation/orders-of-checks.js';
import { uuid } from '../../../contract/schema/uuid.js';
import { actorIdOf, managedUser } from './managed-user.js';
import { userDeleted } from './user-events.js';

/** The account stays in the platform view, disabled, so that its name stays taken. */
export const deleteUser = defineAccountOperation({
  name: 'deleteUser',
  summary: 'Delete an account with its sessions and API keys; its name stays taken.',
  example: { id: exampleId, parameters: {} },
  command: { name: 'people delete' },
  tag: 'Users',
  input: { id: uuid(), parameters: TenantParameters },
  whenFull: 'served',
  output: SuccessResponse,
  requires: { role: 'Admin' },
  checks: accountChecks,
  errors: ['target_not_found', 'account_disabled', 'last_admin'],
  handler: async (request) => {
    const { runtime, nowMs, input } = request;
    await runtime.store.transact((tx) => {
      const caller = request.confirm(tx);
      const account = managedUser(tx, request, caller, input.id);
      storeDeletion(tx, account, {
        ...{ actorId: actorIdOf(caller), nowMs },
        record: (event) => request.record(tx, event),
      });
      const keyIds = removeApiKeysOf(tx, { authority: account.authority, accountId: account.id });
      for (const keyId of keyIds) request.record(tx, apiKeyRevoked(keyId));
      request.record(tx, userDeleted(account));
    });
    return succeeded(
      'The account is deleted, and its sessions, keys and connected programs have ended.',
    );
  },
});
