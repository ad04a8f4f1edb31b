/** Webhooks. */
import { changed, end, revised, use } from './link.js';
import type { OperationRows } from './operation-row.js';

const learned = revised('webhook', 'webhook');
const named = { uses: [use('webhook', { 'path.id': 'id' })] };

/** The rows by operation. */
export const webhookRows = {
  createWebhook: {
    failures: [400, 401, 403, 409, 410, 413],
    uses: [use('change cursor', { 'document.after': 'id' })],
    teaches: [learned],
  },
  listWebhooks: {
    failures: [400, 401, 403],
  },
  getWebhook: {
    failures: [400, 401, 403, 404],
    ...named,
  },
  updateWebhook: {
    failures: [400, 401, 403, 404, 409, 413],
    uses: [changed('webhook')],
    teaches: [learned],
  },
  deleteWebhook: {
    failures: [400, 401, 403, 404],
    ...named,
    teaches: [end('webhook', 'path.id')],
  },
  rotateWebhookSecret: {
    failures: [400, 401, 403, 404, 409, 413],
    uses: [changed('webhook')],
    teaches: [learned],
  },
  listWebhookDeadLetters: {
    failures: [400, 401, 403, 404],
    ...named,
  },
  replayWebhookDeadLetters: {
    failures: [400, 401, 403, 404, 413],
    ...named,
  },
} satisfies OperationRows;
