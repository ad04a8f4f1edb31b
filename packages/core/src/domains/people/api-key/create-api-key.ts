/** `createApiKey`: makes an API key of the calling account, delivered once. */
import { timeText } from '../../../contract/schema/time.js';
import { aliasOf, defineAccountOperation } from '../../../kernel/operation/define-operation.js';
import { accountChecks } from '../../../kernel/operation/orders-of-checks.js';
import { apiKeyCreated } from './api-key-event.js';
import { endOfApiKey } from './api-key-policy.js';
import { insertApiKey } from './api-key-store.js';
import { makeRoomForApiKey } from './key-room.js';
import { digestOfApiKey, newApiKey, prefixOfApiKey } from './api-key-text.js';
import { CreateApiKeyRequest, CreatedApiKey } from './schema.js';

/** Not idempotent: a repeat makes another key. A key makes no keys, or it could outlive itself. */
export const createApiKey = defineAccountOperation({
  name: 'createApiKey',
  summary: 'Make an API key of the calling account; the key is delivered once.',
  example: { document: { name: 'nightly report', expires_in_days: 90 } },
  command: {
    name: 'keys create',
    examples: ['agentkeep keys create --name nightly --expires-in-days 90 --write-secret ./key'],
  },
  tag: 'Keys',
  input: { document: CreateApiKeyRequest },
  output: CreatedApiKey,
  requires: { party: 'login' },
  checks: accountChecks,
  errors: ['api_key_limit'],
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
      const { id: accountId } = request.confirm(tx);
      makeRoomForApiKey(tx, { authority, accountId }, nowMs);
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
});

/** The same under a second path. */
export const createApiKeyAlias = aliasOf(createApiKey, 'createApiKeyAlias');
