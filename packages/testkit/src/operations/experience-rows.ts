/** Attempts and their events. */
import { placed, sha256 } from './documents.js';
import { inScope, learnedResource, scoped, scopeList, use } from './link.js';
import type { OperationRows } from './operation-row.js';

const failures = [400, 401, 403, 404, 409, 413] as const;

const context_id = 'summaries-on-m1';
const attempt = { 'document.attempt_id': 'id', ...inScope };

/** The rows by operation. */
export const experienceRows = {
  registerExperience: {
    failures,
    call: {
      document: {
        ...placed,
        request: {
          id: 'attempt-1',
          context_id,
          reporter_subject_id: 'judge',
          accounting_unit: 'credit-v1',
          input: { reference: 'ticket:7801', sha256 },
        },
      },
    },
    uses: [use('context', { 'document.request.context_id': 'id' })],
    teaches: [
      learnedResource('attempt', 'document.request.id', {
        ...scoped,
        digest: 'answer.receipt.context_digest',
        receipt: 'answer.receipt.receipt_digest',
        revision: 'own.one',
      }),
    ],
  },
  readExperience: {
    failures,
    call: { document: { ...placed, attempt_id: 'attempt-1' } },
    uses: [use('attempt', attempt)],
    teaches: [
      learnedResource('attempt', 'document.attempt_id', { revision: 'answer.experience.revision' }),
    ],
  },
  recordExperienceEvent: {
    failures,
    call: {
      document: {
        ...placed,
        attempt_id: 'attempt-1',
        command: {
          event_id: 'outcome-1',
          expected_revision: 1,
          context_digest: sha256,
          outcome: 'succeeded',
          evidence: { reference: 'log:1', sha256 },
          cost_units: 3,
          latency_ms: 850,
        },
      },
    },
    uses: [
      use('attempt', {
        ...attempt,
        'document.command.expected_revision': 'revision',
        'document.command.context_digest': 'digest',
      }),
    ],
    teaches: [
      learnedResource('attempt', 'document.attempt_id', {
        revision: 'answer.event.record.revision',
      }),
      learnedResource('experience event', 'document.command.event_id', {
        ...scoped,
        attempt: 'document.attempt_id',
      }),
    ],
  },
  readExperienceEvent: {
    failures,
    call: { document: { ...placed, attempt_id: 'attempt-1', event_id: 'outcome-1' } },
    uses: [
      use('experience event', {
        ...inScope,
        'document.event_id': 'id',
        'document.attempt_id': 'attempt',
      }),
    ],
  },
  readExperienceHistory: {
    failures,
    call: { document: { ...placed, attempt_id: 'attempt-1', query: { limit: 20 } } },
    uses: [
      use('attempt', attempt),
      use('history cursor', {
        ...inScope,
        'document.attempt_id': 'attempt',
        'document.query.cursor': 'cursor',
      }),
    ],
    teaches: [
      learnedResource('history cursor', 'answer.page.next_cursor.after_event_id', {
        ...scoped,
        attempt: 'document.attempt_id',
        cursor: 'answer.page.next_cursor',
      }),
    ],
  },
  listExperiences: {
    failures,
    call: { document: { ...placed, limit: 1 } },
    ...scopeList('experiences'),
  },
} satisfies OperationRows;
