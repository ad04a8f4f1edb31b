/** `revokeUserApiKey`: ends an API key of an account that the caller manages. */
import { exampleId } from '../../../contract/example-values.js';
import { SECRET_DOCUMENT_BYTES_MAX } from '../../../contract/limits.js';
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { uuid } from '../../../contract/schema/uuid.js';
import { apiKeyRevokedOf } from '../api-key/manage-api-keys.js';
import { findApiKey, removeApiKey } from '../api-key/api-key-store.js';
import { RevokeApiKeyRequest } from '../api-key/schema.js';
import { defineAccountOperation } from '../../../kernel/operation/define-operation.js';
import { accountChecks } from '../../../kernel/operation/orders-of-checks.js';
import {
  succeeded,
  SuccessResponse,
  TenantParameters,
} from '../../../kernel/lists/account-lists.js';
import { managedUser } from './managed-user.js';

/** A key of another account gives the same error as an unknown one. */
export const revokeUserApiKey = defineAccountOperation({
  name: 'revokeUserApiKey',
  summary: 'Revoke an API key of an account; it is refused from then on.',
  example: { id: exampleId, parameters: {}, document: { key_id: exampleId } },
  command: {
    name: 'people revoke-key',
    examples: ['agentkeep people revoke-key <id> --key-id <key-id>'],
  },
  tag: 'Users',
  input: { id: uuid(), parameters: TenantParameters, document: RevokeApiKeyRequest },
  document: { bytesMax: SECRET_DOCUMENT_BYTES_MAX },
  whenFull: 'served',
  output: SuccessResponse,
  requires: { role: 'Admin' },
  checks: accountChecks,
  errors: ['target_not_found'],
  handler: (request) =>
    request.runtime.store.transact((tx) => {
      const { id, document } = request.input;
      const account = managedUser(tx, request, request.confirm(tx), id);
      const { authority, id: accountId } = account;
      const key = findApiKey(tx, { authority, accountId }, document.key_id);
      if (key === undefined) throw new AgentkeepError('target_not_found');
      removeApiKey(tx, key);
      request.record(tx, apiKeyRevokedOf(key.id, accountId));
      return succeeded('The API key is revoked and refused from now on.');
    }),
});
