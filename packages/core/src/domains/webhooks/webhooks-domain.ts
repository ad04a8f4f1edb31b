/** Webhooks: subscriptions to changes of memory, deliveries and dead letters. */
import { randomUUID } from 'node:crypto';
import { WEBHOOK_CHANGES_DAYS_MIN } from '../../contract/limits.js';
import type { StoredFamily } from '../../storage/families/families.js';
import { partsOfKey } from '../../storage/store/key.js';
import { defineDomain } from '../../upkeep/domain/domain.js';
import type { DomainErasure } from '../../upkeep/erasure/domain-erasure.js';
import type { Step } from '../../upkeep/erasure/slice.js';
import { isErasedCredential } from '../tenancy/erasure/tenancy-erasure.js';
import { deliverWebhooks } from './delivery-port.js';
import { WebhookDeliverer } from './webhook-deliverer.js';
import { ofWebhooks } from './delivery-store.js';
import { findWebhook, hasWebhooks, webhooks as webhookFamily } from './webhook-store.js';
import * as deadLetters from './dead-letters.js';
import * as deliveryStore from './delivery-store.js';
import * as manageWebhooks from './manage-webhooks.js';
import * as webhookStore from './webhook-store.js';

/** Removes what is of webhooks of the subject from a family whose keys begin with their ids. */
function removeOfWebhooks({ name: family, shape }: StoredFamily): Step {
  return (slice, from) => {
    const { tx, erasure } = slice;
    return slice.walk({ family, tenant: erasure.tenantId }, from, (entry) => {
      const id = String(partsOfKey(shape, entry.key)[0]);
      const webhook = findWebhook(tx, erasure.tenantId, id);
      if (webhook !== undefined && isErasedCredential(slice, webhook.credentialId)) {
        slice.remove(family, entry);
      }
    });
  };
}

/** The part of webhooks in erasures. */
const webhookErasure: DomainErasure = {
  subject: { credentials: [...ofWebhooks, webhookFamily].map(removeOfWebhooks) },
};

/** Webhooks must be able to try for days. */
const CHANGES_MS = WEBHOOK_CHANGES_DAYS_MIN * 86_400_000;

/** The domain of webhooks. */
export const webhooks = defineDomain({
  modules: [deadLetters, deliveryStore, manageWebhooks, webhookStore],
  erasure: webhookErasure,
  backlog: (tx, tenantId) => ({ webhooks: deliveryStore.countRetried(tx, tenantId) }),
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
