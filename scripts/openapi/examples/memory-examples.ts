/** Examples of requests to credentials, memory and webhooks of a tenant. */
import { id, millis, placed, revision, scope, version } from './parts.ts';

const record = {
  episode_type: 'Decision',
  content: { primary: 'Refund orders below 20 EUR without asking.' },
  event_time_millis: millis,
  tags: ['refunds'],
} as const;

const webhook = {
  name: 'refund decisions',
  url: 'https://hooks.example.com/agentkeep',
  scopes: [scope],
} as const;

/** By the names of operations. */
export const memoryExamples = {
  issueCredential: {
    ...version,
    spec: {
      subject_id: 'helper',
      capabilities: ['memory_read', 'memory_write'],
      grants: [scope],
    },
  },
  rotateCredential: revision,
  revokeCredential: revision,
  changeScopeAuthority: { ...revision, authority: { grants: [scope] } },
  executeMemoryCommand: {
    ...placed,
    idempotency_key: 'ticket-7801',
    operation: { type: 'put', name: 'refund policy', record },
  },
  executeMemoryBatch: {
    ...version,
    idempotency_key: 'import-1',
    commands: [
      { scope, operation: { type: 'create', record } },
      { scope, operation: { type: 'put', name: 'refund policy', record } },
    ],
  },
  setMemoryRetention: {
    ...placed,
    expected_revision: 0,
    retention: { revisions_max: 20, deleted_days: 30 },
  },
  queryMemory: { ...placed, filter: { tag: 'refunds', limit: 25 } },
  searchMemory: {
    ...version,
    scopes: [scope],
    filter: { words: { text: 'refund policy', match: 'any' } },
    order: 'most_words',
    limit: 10,
  },
  attachEmbeddings: {
    ...placed,
    embeddings: [{ record_id: id, revision: 1, values: [0.12, -0.4, 0.91] }],
  },
  createWebhook: { ...version, ...webhook },
  updateWebhook: { ...revision, ...webhook, enabled: false },
  rotateWebhookSecret: { ...revision, overlap_seconds: 3_600 },
  replayWebhookDeadLetters: { ...version, dead_letter_id: id },
} as const;
