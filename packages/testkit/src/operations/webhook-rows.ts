/** Webhooks. */
import { changed, end, revised, use } from './link.js';
import type { OperationRows } from './operation-row.js';

const learned = revised('webhook', 'webhook');
const named = { uses: [use('webhook', { 'path.id': 'id' })] };

/** The rows by operation. */
export const webhookRows = {
  createWebhook: {
    isStatedByCases: true,
    failures: [400, 401, 403, 409, 410, 413],
    uses: [use('change cursor', { 'document.after': 'id' })],
    teaches: [learned],
  },
  listWebhooks: {
    isStatedByCases: true,
    failures: [400, 401, 403],
  },
  getWebhook: {
    isStatedByCases: true,
    failures: [400, 401, 403, 404],
    ...named,
  },
  updateWebhook: {
    isStatedByCases: true,
    failures: [400, 401, 403, 404, 409, 413],
    uses: [changed('webhook')],
    teaches: [learned],
  },
  deleteWebhook: {
    isStatedByCases: true,
    failures: [400, 401, 403, 404],
    ...named,
    teaches: [end('webhook', 'path.id')],
  },
  rotateWebhookSecret: {
    isStatedByCases: true,
    failures: [400, 401, 403, 404, 409, 413],
    uses: [changed('webhook')],
    teaches: [learned],
  },
  listWebhookDeadLetters: {
    isStatedByCases: true,
    failures: [400, 401, 403, 404],
    ...named,
  },
  replayWebhookDeadLetters: {
    isStatedByCases: true,
    failures: [400, 401, 403, 404, 413],
    ...named,
  },
  discardWebhookDeadLetter: {
    isStatedByCases: true,
    failures: [400, 401, 403, 404, 413],
    ...named,
  },
} satisfies OperationRows;
