/** The routes of webhooks. */
import { platform } from './route.js';

/** The routes by operation. */
export const webhookRoutes = {
  createWebhook: platform.post('/api/v1/webhooks', { status: 201 }),
  listWebhooks: platform.get('/api/v1/webhooks'),
  getWebhook: platform.get('/api/v1/webhooks/{id}'),
  updateWebhook: platform.put('/api/v1/webhooks/{id}'),
  deleteWebhook: platform.delete('/api/v1/webhooks/{id}'),
  rotateWebhookSecret: platform.post('/api/v1/webhooks/{id}/rotate'),
  listWebhookDeadLetters: platform.get('/api/v1/webhooks/{id}/dead-letters'),
  replayWebhookDeadLetters: platform.post('/api/v1/webhooks/{id}/replay'),
  discardWebhookDeadLetter: platform.post('/api/v1/webhooks/{id}/discard'),
};
