/** `listUserApiKeys`: a page of the API keys of an account that the caller manages. */
import { useLog } from '../../../kernel/services/use-log.js';
import { exampleId } from '../../../contract/example-values.js';
import { uuid } from '../../../contract/schema/uuid.js';
import { apiKeyPage } from '../api-key/manage-api-keys.js';
import { ApiKeyList } from '../api-key/schema.js';
import { defineAccountOperation } from '../../../kernel/operation/define-operation.js';
import { accountChecks } from '../../../kernel/operation/orders-of-checks.js';
import { TenantListParameters } from '../../../kernel/lists/account-lists.js';
import { managedUser } from './managed-user.js';

/** Newest first; keys that have ended are included. */
export const listUserApiKeys = defineAccountOperation({
  name: 'listUserApiKeys',
  summary: 'List the API keys of an account, newest first.',
  example: { id: exampleId, parameters: {} },
  command: {
    name: 'people keys',
    columns: ['id', 'name', 'prefix', 'is_active', 'expires_at', 'last_used'],
  },
  tag: 'Users',
  effect: 'read',
  input: { id: uuid(), parameters: TenantListParameters },
  output: ApiKeyList,
  requires: { role: 'Admin' },
  checks: accountChecks,
  errors: ['target_not_found'],
  isHeavy: true,
  handler: async (request) => {
    const { runtime, principal, input, nowMs } = request;
    // Shows recent use. A full disk must not fail a list.
    await useLog
      .of(runtime)
      .flush()
      .catch(() => undefined);
    return runtime.store.read((tx) => {
      const { authority, id: accountId } = managedUser(tx, request, principal, input.id);
      return apiKeyPage(tx, { authority, accountId }, input.parameters, nowMs);
    });
  },
});
