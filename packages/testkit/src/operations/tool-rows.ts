/** Executors, artifacts and developments of tools. */
import { inScope, learnedResource, scoped, scopeList, use } from './link.js';
import type { OperationRows } from './operation-row.js';

const failures = [400, 401, 403, 404, 409, 413] as const;

const development = { 'document.request_id': 'id', ...inScope };

/** The rows by operation. */
export const toolRows = {
  registerToolExecutor: {
    failures,
    teaches: [
      learnedResource('executor', 'document.profile.id', {
        digest: 'answer.executor.profile_digest',
      }),
    ],
  },
  readToolExecutor: {
    failures,
    uses: [use('executor', { 'path.id': 'id' })],
  },
  registerToolArtifact: {
    failures,
    teaches: [learnedResource('artifact', 'document.artifact.id', scoped)],
  },
  readToolArtifact: {
    failures,
    uses: [use('artifact', { 'document.artifact_id': 'id', ...inScope })],
  },
  requestToolDevelopment: {
    failures,
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
    failures,
    uses: [use('development', development)],
    teaches: [
      learnedResource('development', 'document.request_id', {
        revision: 'answer.development.revision',
      }),
    ],
  },
  recordToolDevelopmentEvent: {
    failures,
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
    failures,
    uses: [
      use('tool event', {
        ...inScope,
        'document.event_id': 'id',
        'document.request_id': 'request',
      }),
    ],
  },
  listToolArtifacts: {
    failures,
    ...scopeList('artifacts'),
  },
  listToolDevelopments: {
    failures,
    ...scopeList('developments'),
  },
  listToolDevelopmentEvents: {
    failures,
    ...scopeList('development events', { uses: [use('development', development)] }),
  },
} satisfies OperationRows;
