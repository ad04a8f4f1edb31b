/** The families of webhooks. */
import { webhookDeadLetters, webhookDeliveries } from './delivery-store.js';
import { webhooks, webhookTenants } from './webhook-store.js';

/** All families of webhooks. */
export const webhookFamilies = [
  webhookDeliveries,
  webhookDeadLetters,
  webhooks,
  webhookTenants,
] as const;
