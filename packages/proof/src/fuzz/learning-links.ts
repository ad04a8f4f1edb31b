/** The links of learning, tools and experiences. */
import { inScope, learnedResource, type Links, scoped, use } from './link.js';

const development = { 'document.request_id': 'id', ...inScope };
const attempt = { 'document.attempt_id': 'id', ...inScope };

/** The links by operation. */
export const learningLinks: Readonly<Record<string, Links>> = {
  registerLearningPolicy: { teaches: [learnedResource('policy', 'document.id')] },
  getLearningPolicy: { uses: [use('policy', { 'path.id': 'id' })] },
  registerLearningContext: {
    teaches: [learnedResource('context', 'document.id', { digest: 'answer.entry.payload_digest' })],
  },
  getLearningContext: { uses: [use('context', { 'path.id': 'id' })] },
  proposeProcedure: {
    uses: [
      use('policy', { 'document.proposal.policy_id': 'id' }),
      use('context', { 'document.proposal.context_id': 'id' }),
    ],
    teaches: [
      learnedResource('procedure', 'document.proposal.id', {
        ...scoped,
        policy: 'document.proposal.policy_id',
        context: 'document.proposal.context_id',
      }),
    ],
  },
  readProcedure: { uses: [use('procedure', { 'document.procedure_id': 'id', ...inScope })] },
  admitEvaluation: {
    uses: [
      use('procedure', {
        ...inScope,
        'document.procedure_id': 'id',
        'document.submission.policy_id': 'policy',
        'document.submission.context_id': 'context',
      }),
    ],
    teaches: [
      learnedResource('case', 'document.submission.case_id', {
        ...scoped,
        procedure: 'document.procedure_id',
      }),
    ],
  },
  readEvaluationAdmission: {
    uses: [
      use('case', { ...inScope, 'document.case_id': 'id', 'document.procedure_id': 'procedure' }),
    ],
  },
  selectProcedure: {
    uses: [
      use('procedure', {
        ...inScope,
        'document.policy_id': 'policy',
        'document.context_id': 'context',
      }),
    ],
  },
  registerToolExecutor: {
    teaches: [
      learnedResource('executor', 'document.profile.id', {
        digest: 'answer.executor.profile_digest',
      }),
    ],
  },
  readToolExecutor: { uses: [use('executor', { 'path.id': 'id' })] },
  registerToolArtifact: { teaches: [learnedResource('artifact', 'document.artifact.id', scoped)] },
  readToolArtifact: { uses: [use('artifact', { 'document.artifact_id': 'id', ...inScope })] },
  requestToolDevelopment: {
    uses: [use('executor', { 'document.request.executor_id': 'id' })],
    teaches: [
      learnedResource('development', 'document.request.id', {
        ...scoped,
        digest: 'answer.receipt.executor_profile_digest',
        revision: 'own.one',
      }),
    ],
  },
  readToolDevelopment: {
    uses: [use('development', development)],
    teaches: [
      learnedResource('development', 'document.request_id', {
        revision: 'answer.development.revision',
      }),
    ],
  },
  recordToolDevelopmentEvent: {
    uses: [
      use('development', {
        ...development,
        'document.command.expected_revision': 'revision',
        'document.command.action.report.executor_profile_digest': 'digest',
      }),
    ],
    teaches: [
      learnedResource('development', 'document.request_id', {
        revision: 'answer.event.record.revision',
      }),
      learnedResource('tool event', 'document.command.event_id', {
        ...scoped,
        request: 'document.request_id',
      }),
    ],
  },
  readToolDevelopmentEvent: {
    uses: [
      use('tool event', {
        ...inScope,
        'document.event_id': 'id',
        'document.request_id': 'request',
      }),
    ],
  },
  registerExperience: {
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
    uses: [use('attempt', attempt)],
    teaches: [
      learnedResource('attempt', 'document.attempt_id', { revision: 'answer.experience.revision' }),
    ],
  },
  recordExperienceEvent: {
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
    uses: [
      use('experience event', {
        ...inScope,
        'document.event_id': 'id',
        'document.attempt_id': 'attempt',
      }),
    ],
  },
  readExperienceHistory: {
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
};
