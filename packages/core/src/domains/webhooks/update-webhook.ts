/** `updateWebhook`: changes the address, the filter or the state of a webhook. */
import { deliverWebhooks } from './delivery-port.js';
import { exampleId, exampleScope, exampleVersion } from '../../contract/example-values.js';
import { uuid } from '../../contract/schema/uuid.js';
import { defineTenantOperation } from '../../kernel/operation/define-operation.js';
import { requireFreeName, requiresSettings, settingsIn } from './chosen-settings.js';
import type { WriteTx } from '../../storage/store/store.js';
import { findDelivery, putDelivery, type WebhookKey } from './delivery-store.js';
import { UpdateWebhookRequest, WebhookResponse } from './schema.js';
import { requireRevision, showingOf, webhookAnswer } from './webhook-answer.js';
import { revisesWebhook } from './webhook-operation.js';
import { webhookChanged } from './webhook-event.js';
import { putWebhook } from './webhook-store.js';

/** Replaces all settings. The caller becomes the owner, whose rights the webhook reads with. */
export const updateWebhook = defineTenantOperation({
  ...revisesWebhook,
  name: 'updateWebhook',
  summary: 'Change a webhook. It reads with the rights of the caller from then on.',
  example: {
    id: exampleId,
    document: {
      ...exampleVersion,
      expected_revision: 1,
      name: 'refund decisions',
      url: 'https://hooks.example.com/agentkeep',
      scopes: [exampleScope],
      enabled: false,
    },
  },
  command: {
    name: 'webhooks update',
    revisionFrom: 'getWebhook',
    examples: ['agentkeep webhooks update <id> --name crm --set-url https://crm.example/hook'],
  },
  input: { id: uuid(), document: UpdateWebhookRequest },
  output: WebhookResponse,
  requires: requiresSettings,
  handler: async (request) => {
    const { runtime, credential, input, nowMs } = request;
    const { id, document } = input;
    const { tenantId } = credential;
    const settings = settingsIn(request, document);
    const showing = await showingOf(request);
    const answer = await runtime.store.transact((tx) => {
      request.confirm(tx);
      const before = requireRevision(tx, tenantId, { id, expected: document.expected_revision });
      requireFreeName(tx, tenantId, { id, name: settings.name });
      const webhook = {
        ...before,
        ...settings,
        revision: before.revision + 1,
        credentialId: credential.id,
        updatedAtMillis: nowMs,
      };
      putWebhook(tx, tenantId, webhook);
      tryAtOnce(tx, { tenantId, webhookId: id });
      request.record(tx, webhookChanged('updated', webhook));
      return webhookAnswer(tx, webhook, showing);
    });
    deliverWebhooks.of(runtime)();
    return answer;
  },
});

/** Does not wait for the next attempt: the cause of the failure may be fixed. */
function tryAtOnce(tx: WriteTx, key: WebhookKey): void {
  const delivery = findDelivery(tx, key);
  if (delivery !== undefined) putDelivery(tx, key, { ...delivery, nextAttemptAtMillis: null });
}
