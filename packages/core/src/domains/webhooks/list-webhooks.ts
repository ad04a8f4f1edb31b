/** `listWebhooks`: shows all webhooks of the tenant. */
import { exampleVersion } from '../../contract/example-values.js';
import { CONTRACT_VERSION } from '../../contract/version.js';
import { defineTenantOperation } from '../../kernel/operation/define-operation.js';
import { inputFirstChecks } from '../../kernel/operation/orders-of-checks.js';
import { WebhookParameters, WebhooksResponse } from './schema.js';
import { showWebhook } from './show-webhook.js';
import { showingOf } from './webhook-answer.js';
import { listStoredWebhooks } from './webhook-store.js';

/** Oldest first. A tenant has few enough to return them at once. */
export const listWebhooks = defineTenantOperation({
  name: 'listWebhooks',
  summary: 'Show all webhooks of the tenant, and how they fare.',
  example: { parameters: exampleVersion },
  command: { name: 'webhooks list', columns: ['id', 'name', 'enabled', 'url'] },
  tag: 'Webhooks',
  effect: 'read',
  input: { parameters: WebhookParameters },
  output: WebhooksResponse,
  requires: { capability: 'credential_admin' },
  checks: inputFirstChecks,
  isHeavy: true,
  handler: async (request) => {
    const showing = await showingOf(request);
    const webhooks = await request.runtime.store.read((tx) =>
      listStoredWebhooks(tx, showing.tenantId).map((each) => showWebhook(tx, each, showing)),
    );
    return { contract_version: CONTRACT_VERSION, webhooks };
  },
});
