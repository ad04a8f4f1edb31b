/** Operations on records, searches, changes and consumers. */
import { listMemoryChanges } from './changes/list-memory-changes.js';
import {
  claimConsumer,
  commitConsumer,
  deleteConsumer,
  listConsumers,
  releaseConsumer,
} from './consumers/manage-consumers.js';
import { readConsumer } from './consumers/read-consumer.js';
import { traceMemoryDependents } from './dependents/trace-memory-dependents.js';
import { listMemoryRevisions } from './reading/list-memory-revisions.js';
import { readMemoryRecord, readNamedRecord } from './reading/read-memory-record.js';
import { getMemoryRetention, setMemoryRetention } from './retention/memory-retention.js';
import { queryMemory } from './search/query-memory.js';
import { searchMemory } from './search/search-memory.js';
import {
  dropEmbeddingSpace,
  listEmbeddingSpaces,
  useEmbeddingSpace,
} from './spaces/embedding-spaces.js';
import { attachEmbeddings } from './writing/attach-embeddings.js';
import { executeMemoryBatch } from './writing/execute-memory-batch.js';
import { executeMemoryCommand } from './writing/execute-memory-command.js';

/** These operations by name. */
export const memoryOperations = {
  executeMemoryCommand,
  executeMemoryBatch,
  listMemoryChanges,
  claimConsumer,
  readConsumer,
  commitConsumer,
  releaseConsumer,
  listConsumers,
  deleteConsumer,
  readMemoryRecord,
  listMemoryRevisions,
  traceMemoryDependents,
  getMemoryRetention,
  setMemoryRetention,
  readNamedRecord,
  queryMemory,
  searchMemory,
  attachEmbeddings,
  listEmbeddingSpaces,
  useEmbeddingSpace,
  dropEmbeddingSpace,
} as const;
