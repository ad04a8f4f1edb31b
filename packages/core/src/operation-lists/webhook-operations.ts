/** Operations on webhooks and their dead letters. */
import { createWebhook } from '../domains/webhooks/create-webhook.js';
import { deleteWebhook } from '../domains/webhooks/delete-webhook.js';
import { getWebhook } from '../domains/webhooks/get-webhook.js';
import { listWebhookDeadLetters } from '../domains/webhooks/list-dead-letters.js';
import { listWebhooks } from '../domains/webhooks/list-webhooks.js';
import { replayWebhookDeadLetters } from '../domains/webhooks/replay-dead-letters.js';
import { rotateWebhookSecret } from '../domains/webhooks/rotate-webhook-secret.js';
import { updateWebhook } from '../domains/webhooks/update-webhook.js';

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
