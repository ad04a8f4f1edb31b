/** Webhooks: subscriptions to changes of memory, deliveries and dead letters. */
import { randomUUID } from 'node:crypto';
import { WEBHOOK_CHANGES_DAYS_MIN } from '../../contract/limits.js';
import { defineDomain } from '../../upkeep/domain/domain.js';
import { deliverWebhooks } from './delivery-port.js';
import { WebhookDeliverer } from './webhook-deliverer.js';
import { webhookErasure } from './webhook-erasure.js';
import { webhookOperations } from './webhook-operations.js';
import { hasWebhooks } from './webhook-store.js';
import { webhooksFamilies } from './webhooks-families.js';

/** Webhooks must be able to try for days. */
const CHANGES_MS = WEBHOOK_CHANGES_DAYS_MIN * 86_400_000;

/** The domain of webhooks. */
export const webhooks = defineDomain({
  families: webhooksFamilies,
  operations: webhookOperations,
  erasure: webhookErasure,
  needsChangesMs: (tx, tenantId) => (hasWebhooks(tx, tenantId) ? CHANGES_MS : 0),
  open: ({ webhookSender: sender, ...parts }) => {
    const deliverer = sender && new WebhookDeliverer({ ...parts, sender, holder: randomUUID() });
    const deliver = (): void => deliverer?.deliverSoon();
    return {
      sweepers: deliverer === undefined ? [] : [deliverer],
      ports: [deliverWebhooks.answeredBy(deliver)],
    };
  },
});
