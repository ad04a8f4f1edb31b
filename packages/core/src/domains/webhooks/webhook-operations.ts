/** Operations on webhooks and their dead letters. */
import { createWebhook } from './create-webhook.js';
import { deleteWebhook } from './delete-webhook.js';
import { getWebhook } from './get-webhook.js';
import { listWebhookDeadLetters } from './list-dead-letters.js';
import { listWebhooks } from './list-webhooks.js';
import { replayWebhookDeadLetters } from './replay-dead-letters.js';
import { rotateWebhookSecret } from './rotate-webhook-secret.js';
import { updateWebhook } from './update-webhook.js';

/** These operations by name. */
export const webhookOperations = {
  createWebhook,
  listWebhooks,
  getWebhook,
  updateWebhook,
  deleteWebhook,
  rotateWebhookSecret,
  listWebhookDeadLetters,
  replayWebhookDeadLetters,
} as const;
