/** `deleteWebhook`: ends a webhook. */
import { exampleId, exampleVersion } from '../../contract/example-values.js';
import { CONTRACT_VERSION } from '../../contract/version.js';
import { defineTenantOperation } from '../../kernel/operation/define-operation.js';
import { removeDelivery } from './delivery-store.js';
import { DeletedWebhookResponse } from './schema.js';
import { requireWebhook } from './webhook-answer.js';
import { namesWebhook } from './webhook-operation.js';
import { webhookChanged } from './webhook-event.js';
import { removeWebhook } from './webhook-store.js';

/**
 * A message that is being delivered may still arrive. Dead letters are removed with the webhook.
 */
export const deleteWebhook = defineTenantOperation({
  ...namesWebhook,
  name: 'deleteWebhook',
  summary: 'Delete a webhook with its dead letters.',
  example: { id: exampleId, parameters: exampleVersion },
  command: { name: 'webhooks delete' },
  output: DeletedWebhookResponse,
  whenFull: 'served',
  handler: async (request) => {
    const { runtime, credential, input } = request;
    const { tenantId } = credential;
    await runtime.store.transact((tx) => {
      request.confirm(tx);
      const webhook = requireWebhook(tx, tenantId, input.id);
      removeWebhook(tx, tenantId, webhook.id);
      removeDelivery(tx, { tenantId, webhookId: webhook.id });
      request.record(tx, webhookChanged('deleted', webhook));
    });
    return { contract_version: CONTRACT_VERSION, deleted: true as const };
  },
});
