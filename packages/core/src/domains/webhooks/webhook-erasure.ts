/** What erasures do with webhooks and their deliveries. */
import { uuidAt } from '../../storage/store/key.js';
import type { DomainErasure } from '../../upkeep/erasure/domain-erasure.js';
import type { Step } from '../../upkeep/erasure/slice.js';
import { isErasedCredential } from '../tenancy/erasure/tenancy-erasure.js';
import { findWebhook } from './webhook-store.js';

const UUID_BYTES = 16;

/** Removes the deliveries of webhooks of the subject, then the webhooks. */
function removeOfWebhooks(family: string, idBehind: number): Step {
  return (slice, from) => {
    const { tx, erasure } = slice;
    return slice.walk({ family, tenant: erasure.tenantId }, from, (entry) => {
      const id = uuidAt(entry.key, entry.key.length - idBehind);
      const webhook = findWebhook(tx, erasure.tenantId, id);
      if (webhook !== undefined && isErasedCredential(slice, webhook.credentialId)) {
        slice.remove(family, entry);
      }
    });
  };
}

/** The part of webhooks in erasures. */
export const webhookErasure: DomainErasure = {
  subject: {
    credentials: [
      removeOfWebhooks('webhookDeliveries', UUID_BYTES),
      removeOfWebhooks('webhookDeadLetters', 2 * UUID_BYTES),
      removeOfWebhooks('webhooks', UUID_BYTES),
    ],
  },
};
