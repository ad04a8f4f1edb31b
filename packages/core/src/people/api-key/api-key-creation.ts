/**
 * The creation of API keys, stated once for the two operations that do it.
 * @module
 */
import type { AuthenticatedOperation } from '../../runtime/operation.js';
import { timeText } from '../../contract/schema/time.js';
import { apiKeyCreated } from './api-key-event.js';
import { endOfApiKey } from './api-key-policy.js';
import { insertApiKey } from './api-key-store.js';
import { digestOfApiKey, newApiKey, prefixOfApiKey } from './api-key-text.js';
import { CreateApiKeyRequest, CreatedApiKey } from './schema.js';

/** What the creation of an API key reads. */
export interface ApiKeyCreationInput {
  readonly document: typeof CreateApiKeyRequest;
}

type Creation = AuthenticatedOperation<ApiKeyCreationInput, typeof CreatedApiKey>;

/** Not idempotent: a repeat makes another key. A key makes no keys, or it could outlive itself. */
export const apiKeyCreation: Omit<Creation, 'name' | 'access'> = {
  summary: 'Make an API key of the calling account; the key is delivered once.',
  tag: 'Keys',
  surface: 'account',
  input: { document: CreateApiKeyRequest },
  output: CreatedApiKey,
  requires: { party: 'login' },
  checks: ['authority', 'document', 'rules'],
  errors: ['invalid_request', 'forbidden'],
  handler: (request) => {
    const { runtime, input, authority, nowMs } = request;
    const { name, expires_in_days: days } = input.document;
    const text = newApiKey(runtime.entropy);
    const made = {
      authority,
      id: runtime.newId(),
      name,
      prefix: prefixOfApiKey(text),
      digest: digestOfApiKey(text),
      createdAtMillis: nowMs,
      expiresAtMillis: endOfApiKey(nowMs, days),
      lastUsedMillis: null,
    };
    return runtime.store.transact((tx) => {
      const { id: accountId } = request.confirmParty(tx);
      insertApiKey(tx, { ...made, accountId });
      request.record(tx, apiKeyCreated(made.id));
      return {
        key: text,
        id: made.id,
        prefix: made.prefix,
        name,
        created_at: timeText(nowMs),
        expires_at: made.expiresAtMillis === null ? null : timeText(made.expiresAtMillis),
      };
    });
  },
};
