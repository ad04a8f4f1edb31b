/**
 * The deletion of API keys, stated once for the two operations that do it.
 * @module
 */
import { succeeded, SuccessResponse } from '../../runtime/lists/account-lists.js';
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import type { AuthenticatedOperation } from '../../runtime/operation.js';
import { uuid } from '../../contract/schema/uuid.js';
import { apiKeyRevoked } from './api-key-event.js';
import { findApiKey, removeApiKey } from './api-key-store.js';

const keyId = uuid();

/** What the deletion of an API key reads. */
export interface ApiKeyDeletionInput {
  readonly id: typeof keyId;
}

type Deletion = AuthenticatedOperation<ApiKeyDeletionInput, typeof SuccessResponse>;

/** A key of somebody else is as unknown as one that does not exist. A key may delete itself. */
export const apiKeyDeletion: Omit<Deletion, 'name' | 'access'> = {
  summary: 'Delete an API key of the calling account; it is refused from then on.',
  tag: 'Keys',
  surface: 'account',
  input: { id: keyId },
  output: SuccessResponse,
  requires: { party: 'account' },
  checks: ['authority', 'id'],
  errors: ['invalid_request', 'forbidden', 'target_not_found'],
  handler: (request) =>
    request.runtime.store.transact((tx) => {
      const { authority, input } = request;
      const { id: accountId } = request.confirmParty(tx);
      const key = findApiKey(tx, { authority, accountId }, input.id);
      if (key === undefined) throw new AgentkeepError('target_not_found');
      removeApiKey(tx, key);
      request.record(tx, apiKeyRevoked(key.id));
      return succeeded('The API key is deleted and refused from now on.');
    }),
};
