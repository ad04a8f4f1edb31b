/** Executors, artifacts and developments of tools. */
import { placed, sha256, version } from './documents.js';
import { inScope, learnedResource, scoped, scopeList, use } from './link.js';
import type { OperationRows } from './operation-row.js';

const failures = [400, 401, 403, 404, 409, 413] as const;

const image = `sha256:${sha256}`;
const artifact = {
  id: 'word-count-1',
  source: 'export const run = (text) => text.split(/\\s+/).length;\n',
  dependency_lock: '',
  runtime_image_digest: image,
  entrypoint: 'run',
  input_schema: { type: 'string' },
  output_schema: { type: 'integer' },
  source_refs: ['development:word-count'],
} as const;

const development = { 'document.request_id': 'id', ...inScope };

/** The rows by operation. */
export const toolRows = {
  registerToolExecutor: {
    failures,
    call: {
      document: {
        ...version,
        profile: {
          id: 'builder',
          subject_id: 'worker',
          runtime_image_digest: image,
          environment_revision: 'env-1',
          permissions_revision: 'perm-1',
          max_cost_units: 100,
          max_latency_ms: 60_000,
        },
      },
    },
    teaches: [
      learnedResource('executor', 'document.profile.id', {
        digest: 'answer.executor.profile_digest',
      }),
    ],
  },
  readToolExecutor: {
    failures,
    call: { id: 'w1' },
    uses: [use('executor', { 'path.id': 'id' })],
  },
  registerToolArtifact: {
    failures,
    call: { document: { ...placed, artifact } },
    teaches: [learnedResource('artifact', 'document.artifact.id', scoped)],
  },
  readToolArtifact: {
    failures,
    call: { document: { ...placed, artifact_id: artifact.id } },
    uses: [use('artifact', { 'document.artifact_id': 'id', ...inScope })],
  },
  requestToolDevelopment: {
    failures,
    call: {
      document: {
        ...placed,
        request: {
          id: 'word-count',
          executor_id: 'builder',
          objective: 'Count the words of a text.',
        },
      },
    },
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
    call: { document: { ...placed, request_id: 'word-count' } },
    uses: [use('development', development)],
    teaches: [
      learnedResource('development', 'document.request_id', {
        revision: 'answer.development.revision',
      }),
    ],
  },
  recordToolDevelopmentEvent: {
    failures,
    call: {
      document: {
        ...placed,
        request_id: 'word-count',
        command: {
          event_id: 'report-1',
          expected_revision: 1,
          action: {
            type: 'report',
            report: {
              executor_profile_digest: sha256,
              outcome: 'succeeded',
              evidence_ref: 'log:1',
              artifact,
            },
          },
        },
      },
    },
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
    call: { document: { ...placed, request_id: 'word-count', event_id: 'report-1' } },
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
    call: { document: { ...placed, limit: 1 } },
    ...scopeList('artifacts'),
  },
  listToolDevelopments: {
    failures,
    call: { document: { ...placed, limit: 1 } },
    ...scopeList('developments'),
  },
  listToolDevelopmentEvents: {
    failures,
    call: { document: { ...placed, request_id: 'word-count', limit: 1 } },
    ...scopeList('development events', { uses: [use('development', development)] }),
  },
} satisfies OperationRows;
