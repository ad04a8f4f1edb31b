/** What delivery needs of others, and what it hands on. */
import type { Clock } from '../../kernel/ports/clock.js';
import type { Entropy } from '../../kernel/ports/entropy.js';
import type { NewId } from '../../kernel/ports/ids.js';
import { Port } from '../../kernel/ports/port.js';
import type { WebhookSender } from '../../kernel/ports/webhook-sender.js';
import type { Transactions } from '../../storage/store/store.js';
import type { StoredDeadLetter, StoredDelivery } from './delivery-store.js';
import type { FoundMessage, OwnedWebhook } from './webhook-message.js';

/** Delivers due messages of webhooks, in the background. */
export const deliverWebhooks = new Port<() => void>('deliverWebhooks');

/** Dependencies of deliveries. */
export interface DeliveryParts {
  readonly store: Transactions;
  readonly clock: Clock;
  readonly entropy: Entropy;
  readonly newId: NewId;
  readonly sender: WebhookSender;
  /** Names this process in leases. */
  readonly holder: string;
  /** Ends attempts, because the keep is closing. */
  readonly signal: AbortSignal;
}

/** The next delivery to make. */
export interface DueDelivery extends OwnedWebhook {
  readonly delivery: StoredDelivery;
  /** The dead letter to deliver again; absent for new changes. */
  readonly letter: StoredDeadLetter | undefined;
  readonly from: Uint8Array;
  readonly found: FoundMessage;
}
