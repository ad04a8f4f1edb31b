/** `getWebhook`: shows one webhook. */
import { exampleId, exampleVersion } from '../../contract/example-values.js';
import { defineTenantOperation } from '../../kernel/operation/define-operation.js';
import { WebhookResponse } from './schema.js';
import { requireWebhook, showingOf, webhookAnswer } from './webhook-answer.js';
import { namesWebhook } from './webhook-operation.js';

/** Never shows a secret. */
export const getWebhook = defineTenantOperation({
  ...namesWebhook,
  name: 'getWebhook',
  summary: 'Show a webhook, and how it fares.',
  example: { id: exampleId, parameters: exampleVersion },
  command: { name: 'webhooks show' },
  effect: 'read',
  output: WebhookResponse,
  handler: async (request) => {
    const { runtime, credential, input } = request;
    const showing = await showingOf(request);
    return runtime.store.read((tx) =>
      webhookAnswer(tx, requireWebhook(tx, credential.tenantId, input.id), showing),
    );
  },
});
