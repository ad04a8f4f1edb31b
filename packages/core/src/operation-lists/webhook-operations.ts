/** Operations on webhooks and their dead letters. */
import { createWebhook } from '../webhooks/create-webhook.js';
import { deleteWebhook } from '../webhooks/delete-webhook.js';
import { getWebhook } from '../webhooks/get-webhook.js';
import { listWebhookDeadLetters } from '../webhooks/list-dead-letters.js';
import { listWebhooks } from '../webhooks/list-webhooks.js';
import { replayWebhookDeadLetters } from '../webhooks/replay-dead-letters.js';
import { rotateWebhookSecret } from '../webhooks/rotate-webhook-secret.js';
import { updateWebhook } from '../webhooks/update-webhook.js';

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
