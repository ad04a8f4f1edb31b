/** Attempts and their events. */
import { inScope, learnedResource, scoped, scopeList, use } from './link.js';
import type { OperationRows } from './operation-row.js';

const failures = [400, 401, 403, 404, 409, 413] as const;

const attempt = { 'document.attempt_id': 'id', ...inScope };

/** The rows by operation. */
export const experienceRows = {
  registerExperience: {
    failures,
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
    uses: [use('attempt', attempt)],
    teaches: [
      learnedResource('attempt', 'document.attempt_id', { revision: 'answer.experience.revision' }),
    ],
  },
  recordExperienceEvent: {
    failures,
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
    ...scopeList('experiences'),
  },
} satisfies OperationRows;
