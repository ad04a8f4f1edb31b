/** `replayWebhookDeadLetters`: delivers again the changes that a webhook gave up. */
import { deliverWebhooks } from './delivery-port.js';
import { exampleId, exampleVersion } from '../../contract/example-values.js';
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import { uuid } from '../../contract/schema/uuid.js';
import { defineTenantOperation } from '../../kernel/operation/define-operation.js';
import { listDeadLetters, putDeadLetter } from './delivery-store.js';
import { ReplayWebhookRequest, WebhookResponse } from './schema.js';
import { requireWebhook, showingOf, webhookAnswer } from './webhook-answer.js';
import { documentsWebhook } from './webhook-operation.js';
import { webhookChanged } from './webhook-event.js';

/** Later changes don't wait for replayed ones. A repeat changes nothing. */
export const replayWebhookDeadLetters = defineTenantOperation({
  ...documentsWebhook,
  name: 'replayWebhookDeadLetters',
  summary: 'Deliver dead letters of a webhook again: one, or all.',
  example: { id: exampleId, document: { ...exampleVersion, dead_letter_id: exampleId } },
  command: { name: 'webhooks replay' },
  input: { id: uuid(), document: ReplayWebhookRequest },
  output: WebhookResponse,
  handler: async (request) => {
    const { runtime, credential, input } = request;
    const { dead_letter_id: wanted } = input.document;
    const { tenantId } = credential;
    const showing = await showingOf(request);
    const answer = await runtime.store.transact((tx) => {
      request.confirm(tx);
      const webhook = requireWebhook(tx, tenantId, input.id);
      const key = { tenantId, webhookId: webhook.id };
      const letters = listDeadLetters(tx, key).filter(({ id }) => wanted === null || id === wanted);
      if (wanted !== null && letters.length === 0) throw new AgentkeepError('target_not_found');
      const waiting = letters.filter(({ isReplaying }) => !isReplaying);
      for (const letter of waiting) putDeadLetter(tx, key, { ...letter, isReplaying: true });
      if (waiting.length > 0) request.record(tx, webhookChanged('replayed', webhook));
      return webhookAnswer(tx, webhook, showing);
    });
    deliverWebhooks.of(runtime)();
    return answer;
  },
});
