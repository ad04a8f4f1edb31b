/** `listWebhookDeadLetters`: shows the changes that a webhook gave up. */
import { exampleId, exampleVersion } from '../../contract/example-values.js';
import { CONTRACT_VERSION } from '../../contract/version.js';
import type { ChangeCursors } from '../memory/journal/change-cursor.js';
import { defineTenantOperation } from '../../kernel/operation/define-operation.js';
import { listDeadLetters, type StoredDeadLetter } from './delivery-store.js';
import { type WebhookDeadLetter, WebhookDeadLettersResponse } from './schema.js';
import { showFailure } from './show-webhook.js';
import { requireWebhook, showingOf } from './webhook-answer.js';
import { namesWebhook } from './webhook-operation.js';

/** Oldest first. A webhook has few enough to return them at once. */
export const listWebhookDeadLetters = defineTenantOperation({
  ...namesWebhook,
  name: 'listWebhookDeadLetters',
  summary: 'Show the changes that a webhook gave up after three days.',
  example: { id: exampleId, parameters: exampleVersion },
  command: { name: 'webhooks dead-letters' },
  effect: 'read',
  output: WebhookDeadLettersResponse,
  isHeavy: true,
  handler: async (request) => {
    const { tenantId, cursors } = await showingOf(request);
    const letters = await request.runtime.store.read((tx) => {
      const { id } = requireWebhook(tx, tenantId, request.input.id);
      return listDeadLetters(tx, { tenantId, webhookId: id });
    });
    return {
      contract_version: CONTRACT_VERSION,
      dead_letters: letters.map((letter) => shown(letter, cursors)),
    };
  },
});

function shown(letter: StoredDeadLetter, cursors: ChangeCursors): WebhookDeadLetter {
  return {
    id: letter.id,
    after: cursors.seal(letter.from),
    first_committed_at_millis: letter.firstCommittedAtMillis,
    last_committed_at_millis: letter.lastCommittedAtMillis,
    given_up_at_millis: letter.givenUpAtMillis,
    failure: showFailure(letter.failure),
    replaying: letter.isReplaying,
  };
}
