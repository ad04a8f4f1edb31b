/** What requests about webhooks use of earlier answers, and what their answers teach. */
import { end, learnedResource, use } from './link.js';

const revised = use('webhook', { 'path.id': 'id', 'document.expected_revision': 'revision' });
const learned = learnedResource('webhook', 'answer.webhook.id', {
  revision: 'answer.webhook.revision',
});
const named = { uses: [use('webhook', { 'path.id': 'id' })] };

/** The links of all operations on webhooks. */
export const webhookLinks = {
  createWebhook: {
    uses: [use('change cursor', { 'document.after': 'id' })],
    teaches: [learned],
  },
  getWebhook: named,
  updateWebhook: { uses: [revised], teaches: [learned] },
  deleteWebhook: { ...named, teaches: [end('webhook', 'path.id')] },
  rotateWebhookSecret: { uses: [revised], teaches: [learned] },
  listWebhookDeadLetters: named,
  replayWebhookDeadLetters: named,
};
