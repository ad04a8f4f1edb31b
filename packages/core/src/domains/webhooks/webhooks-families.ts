/** The families of webhooks. */
import { listFamilies } from '../../storage/store/family.js';
import { webhookDeadLetters, webhookDeliveries } from './delivery-store.js';
import { webhooks, webhookTenants } from './webhook-store.js';

/** All families of webhooks. */
export const webhooksFamilies = listFamilies(
  webhookDeliveries,
  webhookDeadLetters,
  webhooks,
  webhookTenants,
);
