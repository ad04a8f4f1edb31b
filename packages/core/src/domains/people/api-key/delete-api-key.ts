/** `deleteApiKey`: ends an API key of the calling account. */
import { exampleId } from '../../../contract/example-values.js';
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { uuid } from '../../../contract/schema/uuid.js';
import { aliasOf, defineAccountOperation } from '../../../kernel/operation/define-operation.js';
import { accountChecks } from '../../../kernel/operation/orders-of-checks.js';
import { succeeded, SuccessResponse } from '../../../kernel/lists/account-lists.js';
import { apiKeyRevoked } from './api-key-event.js';
import { findApiKey, removeApiKey } from './api-key-store.js';

/** A key of another account gives the same error as an unknown one. A key may delete itself. */
export const deleteApiKey = defineAccountOperation({
  name: 'deleteApiKey',
  summary: 'Delete an API key of the calling account; it is refused from then on.',
  example: { id: exampleId },
  command: { name: 'keys revoke' },
  tag: 'Keys',
  input: { id: uuid() },
  whenFull: 'served',
  output: SuccessResponse,
  requires: { party: 'account' },
  checks: accountChecks,
  errors: ['target_not_found'],
  handler: (request) =>
    request.runtime.store.transact((tx) => {
      const { authority, input } = request;
      const { id: accountId } = request.confirm(tx);
      const key = findApiKey(tx, { authority, accountId }, input.id);
      if (key === undefined) throw new AgentkeepError('target_not_found');
      removeApiKey(tx, key);
      request.record(tx, apiKeyRevoked(key.id));
      return succeeded('The API key is deleted and refused from now on.');
    }),
});

/** The same under a second path. */
export const deleteApiKeyAlias = aliasOf(deleteApiKey, 'deleteApiKeyAlias');
