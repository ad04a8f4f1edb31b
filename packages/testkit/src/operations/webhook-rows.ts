/** Webhooks. */
import { id, revision, scope, version } from './documents.js';
import { changed, end, revised, use } from './link.js';
import type { OperationRows } from './operation-row.js';

const webhook = {
  name: 'refund decisions',
  url: 'https://hooks.example.com/agentkeep',
  scopes: [scope],
} as const;

const learned = revised('webhook', 'webhook');
const named = { uses: [use('webhook', { 'path.id': 'id' })] };

/** The rows by operation. */
export const webhookRows = {
  createWebhook: {
    failures: [400, 401, 403, 409, 410, 413],
    call: { document: { ...version, ...webhook } },
    uses: [use('change cursor', { 'document.after': 'id' })],
    teaches: [learned],
  },
  listWebhooks: {
    failures: [400, 401, 403],
    call: { parameters: version },
  },
  getWebhook: {
    failures: [400, 401, 403, 404],
    call: { id, parameters: version },
    ...named,
  },
  updateWebhook: {
    failures: [400, 401, 403, 404, 409, 413],
    call: { id, document: { ...revision, ...webhook, enabled: false } },
    uses: [changed('webhook')],
    teaches: [learned],
  },
  deleteWebhook: {
    failures: [400, 401, 403, 404],
    call: { id, parameters: version },
    ...named,
    teaches: [end('webhook', 'path.id')],
  },
  rotateWebhookSecret: {
    failures: [400, 401, 403, 404, 409, 413],
    call: { id, document: { ...revision, overlap_seconds: 3_600 } },
    uses: [changed('webhook')],
    teaches: [learned],
  },
  listWebhookDeadLetters: {
    failures: [400, 401, 403, 404],
    call: { id, parameters: version },
    ...named,
  },
  replayWebhookDeadLetters: {
    failures: [400, 401, 403, 404, 413],
    call: { id, document: { ...version, dead_letter_id: id } },
    ...named,
  },
} satisfies OperationRows;
