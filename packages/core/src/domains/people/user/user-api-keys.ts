/** The operations on API keys of a user. */
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { exampleId } from '../../../contract/example-values.js';
import { SECRET_DOCUMENT_BYTES_MAX } from '../../../contract/limits.js';
import { uuid } from '../../../contract/schema/uuid.js';
import {
  succeeded,
  SuccessResponse,
  TenantListParameters,
  TenantParameters,
} from '../../../kernel/lists/account-lists.js';
import { defineAccountOperation } from '../../../kernel/operation/define-operation.js';
import { accountChecks } from '../../../kernel/operation/orders-of-checks.js';
import { useLog } from '../../../kernel/services/use-log.js';
import { findApiKey, removeApiKey } from '../api-key/api-key-store.js';
import { apiKeyPage, apiKeyRevokedOf } from '../api-key/manage-api-keys.js';
import { ApiKeyList, RevokeApiKeyRequest } from '../api-key/schema.js';
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
