/** `createWebhook`: delivers changes of memory to an address. */
import { deliverWebhooks } from './delivery-port.js';
import { exampleScope, exampleVersion } from '../../contract/example-values.js';
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import { WEBHOOKS_MAX } from '../../contract/limits.js';
import { FOREIGN_AFTER } from '../memory/journal/change-cursor.js';
import { floorOf } from '../memory/journal/change-store.js';
import { positionAt } from '../memory/changes/read-changes.js';
import { defineTenantOperation } from '../../kernel/operation/define-operation.js';
import { inputFirstChecks } from '../../kernel/operation/orders-of-checks.js';
import { requireFreeName, requiresSettings, settingsIn } from './chosen-settings.js';
import { newDelivery, putDelivery } from './delivery-store.js';
import { CreateWebhookRequest, WebhookSecretResponse } from './schema.js';
import { showingOf, webhookAnswer } from './webhook-answer.js';
import { webhookChanged } from './webhook-event.js';
import { newWebhookSecret } from './webhook-secret.js';
import { listStoredWebhooks, putWebhook, type StoredWebhook } from './webhook-store.js';

/** A repeat finds that the name is taken, so it makes no second webhook. */
export const createWebhook = defineTenantOperation({
  name: 'createWebhook',
  summary: 'Deliver changes of memory to an address; the secret is shown once.',
  example: {
    document: {
      ...exampleVersion,
      name: 'refund decisions',
      url: 'https://hooks.example.com/agentkeep',
      scopes: [exampleScope],
    },
  },
  command: {
    name: 'webhooks create',
    examples: [
      'agentkeep webhooks create --name crm --set-url https://crm.example/hook ' +
        '--write-secret ./hook',
    ],
  },
  tag: 'Webhooks',
  input: { document: CreateWebhookRequest },
  output: WebhookSecretResponse,
  requires: requiresSettings,
  checks: inputFirstChecks,
  errors: ['revision_conflict', 'webhook_limit', 'position_expired'],
  handler: async (request) => {
    const { runtime, credential, input, nowMs } = request;
    const { document } = input;
    const { tenantId } = credential;
    const settings = settingsIn(request, document);
    const showing = await showingOf(request);
    const after =
      document.after === null ? undefined : showing.cursors.open(document.after, FOREIGN_AFTER);
    const secret = newWebhookSecret(runtime.entropy);
    const webhook: StoredWebhook = {
      id: runtime.newId(),
      ...settings,
      revision: 1,
      credentialId: credential.id,
      createdAtMillis: nowMs,
      updatedAtMillis: nowMs,
      secrets: [secret],
    };
    const start = await runtime.store.read((tx) => {
      const horizon = Uint8Array.from(tx.horizon());
      return positionAt(after ?? 'latest', floorOf(tx, tenantId), horizon);
    });
    const answer = await runtime.store.transact((tx) => {
      request.confirm(tx);
      requireFreeName(tx, tenantId, webhook);
      const others = listStoredWebhooks(tx, tenantId);
      if (others.length >= WEBHOOKS_MAX) throw new AgentkeepError('webhook_limit');
      putWebhook(tx, tenantId, webhook);
      putDelivery(tx, { tenantId, webhookId: webhook.id }, newDelivery(start));
      request.record(tx, webhookChanged('created', webhook));
      return { ...webhookAnswer(tx, webhook, showing), secret: secret.secret };
    });
    deliverWebhooks.of(runtime)();
    return answer;
  },
});
