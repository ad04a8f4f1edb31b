/** Records, searches, changes and retention. */
import { end, inScope, learnedResource, scoped, use } from './link.js';
import type { OperationRows } from './operation-row.js';

const inQueryScope = {
  'query.project_id': 'scope.project_id',
  'query.mission_id!': 'scope.mission_id',
  'query.agent_id': 'scope.agent_id',
  'query.visibility': 'scope.visibility',
};
const ofRecord = { 'path.id': 'id', ...inQueryScope };
const newRecord = learnedResource('record', 'answer.receipt.record_id', {
  ...scoped,
  revision: 'answer.receipt.revision',
});

/** The rows by operation. */
export const memoryRows = {
  executeMemoryCommand: {
    failures: [400, 401, 403, 404, 409, 413],
    uses: [
      use('record', {
        ...inScope,
        'document.operation.record_id': 'id',
        'document.operation.expected_revision': 'revision',
      }),
      use('record', {
        ...inScope,
        'document.operation.record_id': 'id',
        'document.operation.revision': 'revision',
        'document.operation.expected_revision': 'revision',
      }),
      use('named record', {
        ...inScope,
        'document.operation.name': 'id',
        'document.operation.expected_revision': 'revision',
      }),
    ],
    teaches: [
      newRecord,
      learnedResource('named record', 'document.operation.name', {
        ...scoped,
        revision: 'answer.receipt.revision',
      }),
    ],
  },
  executeMemoryBatch: {
    failures: [400, 401, 403, 404, 409, 413],
    uses: [
      use('record', {
        'document.commands.0.scope': 'scope',
        'document.commands.0.operation.record_id': 'id',
        'document.commands.0.operation.expected_revision': 'revision',
      }),
      use('named record', {
        'document.commands.0.scope': 'scope',
        'document.commands.0.operation.name': 'id',
      }),
    ],
    teaches: [
      learnedResource('record', 'answer.receipt.outcomes.0.record_id', {
        scope: 'document.commands.0.scope',
        revision: 'answer.receipt.outcomes.0.revision',
      }),
    ],
  },
  listMemoryChanges: {
    failures: [400, 401, 403, 404, 410],
    uses: [use('change cursor', { 'query.after': 'id' }), use('record', inQueryScope)],
    teaches: [
      learnedResource('change cursor', 'answer.page.next_after'),
      learnedResource('change cursor', 'answer.page.changes.0.cursor'),
    ],
  },
  claimConsumer: {
    failures: [400, 401, 403, 409, 413],
    uses: [use('consumer', { 'path.id': 'id', 'document.scope': 'scope' })],
    teaches: [
      learnedResource('consumer', 'path.id', {
        scope: 'document.scope',
        holder: 'document.holder',
        position: 'answer.consumer.position',
      }),
    ],
  },
  readConsumer: {
    failures: [400, 401, 403, 404, 409, 410, 413],
    uses: [use('consumer', { 'path.id': 'id', 'document.holder': 'holder' })],
  },
  commitConsumer: {
    failures: [400, 401, 403, 404, 409, 413],
    uses: [
      use('consumer', {
        'path.id': 'id',
        'document.holder': 'holder',
        'document.cursor': 'position',
      }),
    ],
  },
  releaseConsumer: {
    failures: [400, 401, 403, 404, 413],
    uses: [use('consumer', { 'path.id': 'id', 'document.holder': 'holder' })],
  },
  listConsumers: {
    failures: [400, 401, 403],
  },
  deleteConsumer: {
    failures: [400, 401, 403, 404],
    uses: [use('consumer', { 'path.id': 'id' })],
    teaches: [end('consumer', 'path.id')],
  },
  readMemoryRecord: {
    failures: [400, 401, 403, 404, 410],
    uses: [
      use('record', ofRecord),
      use('record', { ...ofRecord, 'query.revision': 'revision' }),
      use('change cursor', { 'query.as_of_cursor': 'id' }),
    ],
  },
  listMemoryRevisions: {
    failures: [400, 401, 403, 404],
    uses: [
      use('record', ofRecord),
      use('cursor of revisions', { 'path.id': 'owner', 'query.cursor': 'id' }),
    ],
    teaches: [
      learnedResource('cursor of revisions', 'answer.page.next_cursor', { owner: 'path.id' }),
    ],
  },
  listMemoryReads: {
    failures: [400, 401, 403, 404],
    uses: [
      use('record', ofRecord),
      use('cursor of readers', { 'path.id': 'owner', 'query.cursor': 'id' }),
    ],
    teaches: [
      learnedResource('cursor of readers', 'answer.page.next_cursor', { owner: 'path.id' }),
    ],
  },
  traceMemoryDependents: {
    failures: [400, 401, 403, 404, 409, 413],
    uses: [
      use('record', {
        'path.id': 'id',
        'document.scope': 'scope',
        'document.revision': 'revision',
      }),
      use('cursor of dependents', { 'path.id': 'owner', 'document.cursor': 'id' }),
    ],
    teaches: [
      learnedResource('cursor of dependents', 'answer.page.next_cursor', { owner: 'path.id' }),
    ],
  },
  getMemoryRetention: {
    failures: [400, 401, 403],
  },
  setMemoryRetention: {
    failures: [400, 401, 403, 409, 413],
    uses: [use('retention', { 'document.expected_revision': 'id' })],
    teaches: [learnedResource('retention', 'answer.revision')],
  },
  readNamedRecord: {
    failures: [400, 401, 403, 404, 410],
    uses: [
      use('named record', { 'query.name': 'id', ...inQueryScope }),
      use('change cursor', { 'query.as_of_cursor': 'id' }),
    ],
  },
  queryMemory: {
    failures: [400, 401, 403, 404, 410, 413],
    uses: [
      use('record', { ...inScope, 'document.filter.after': 'id' }),
      use('change cursor', { 'document.as_of.cursor': 'id' }),
    ],
  },
  searchMemory: {
    failures: [400, 401, 403, 404, 410, 413],
    uses: [
      use('record', { 'document.scopes.0': 'scope' }),
      use('change cursor', { 'document.as_of.cursor': 'id' }),
      use('cursor of a search', {
        'document.scopes': 'scopes',
        'document.filter!': 'filter',
        'document.order!': 'order',
        'document.counts!': 'counts',
        'document.vector!': 'vector',
        'document.space!': 'space',
        'document.words!': 'words',
        'document.cursor!': 'id',
      }),
    ],
    teaches: [
      learnedResource('cursor of a search', 'answer.page.next_cursor', {
        scopes: 'document.scopes',
        filter: 'document.filter',
        order: 'document.order',
        counts: 'document.counts',
        vector: 'document.vector',
        space: 'document.space',
        words: 'document.words',
      }),
    ],
  },
  attachEmbeddings: {
    failures: [400, 401, 403, 409, 413],
    uses: [
      use('record', {
        'document.scope': 'scope',
        'document.embeddings.0.record_id': 'id',
        'document.embeddings.0.revision': 'revision',
      }),
    ],
    teaches: [learnedResource('embedding space', 'document.space', { scope: 'document.scope' })],
  },
  listEmbeddingSpaces: {
    failures: [400, 401, 403],
    uses: [use('record', inQueryScope)],
  },
  useEmbeddingSpace: {
    failures: [400, 401, 403, 409, 413],
    uses: [use('embedding space', { 'document.scope': 'scope', 'document.space': 'id' })],
  },
  dropEmbeddingSpace: {
    failures: [400, 401, 403, 409, 413],
    uses: [use('embedding space', { 'document.scope': 'scope', 'document.space': 'id' })],
  },
  exportMemory: {
    failures: [400, 401, 403, 410, 413],
    uses: [
      use('record', { 'document.of.scope': 'scope' }),
      use('cursor of an export', { 'document.of': 'of', 'document.after': 'id' }),
    ],
    teaches: [
      learnedResource('cursor of an export', 'answer.page.next_after', { of: 'document.of' }),
    ],
  },
  importMemory: {
    failures: [400, 401, 403, 409, 413],
  },
} satisfies OperationRows;
