/** Operations on records, searches, changes and consumers. */
import { listMemoryChanges } from '../domains/memory/changes/list-memory-changes.js';
import { claimConsumer } from '../domains/memory/consumers/claim-consumer.js';
import { commitConsumer } from '../domains/memory/consumers/commit-consumer.js';
import { deleteConsumer } from '../domains/memory/consumers/delete-consumer.js';
import { listConsumers } from '../domains/memory/consumers/list-consumers.js';
import { readConsumer } from '../domains/memory/consumers/read-consumer.js';
import { releaseConsumer } from '../domains/memory/consumers/release-consumer.js';
import { traceMemoryDependents } from '../domains/memory/dependents/trace-memory-dependents.js';
import { listMemoryRevisions } from '../domains/memory/reading/list-memory-revisions.js';
import { readMemoryRecord } from '../domains/memory/reading/read-memory-record.js';
import { readNamedRecord } from '../domains/memory/reading/read-named-record.js';
import { getMemoryRetention } from '../domains/memory/retention/get-memory-retention.js';
import { setMemoryRetention } from '../domains/memory/retention/set-memory-retention.js';
import { queryMemory } from '../domains/memory/search/query-memory.js';
import { searchMemory } from '../domains/memory/search/search-memory.js';
import { dropEmbeddingSpace } from '../domains/memory/spaces/drop-embedding-space.js';
import { listEmbeddingSpaces } from '../domains/memory/spaces/list-embedding-spaces.js';
import { useEmbeddingSpace } from '../domains/memory/spaces/use-embedding-space.js';
import { attachEmbeddings } from '../domains/memory/writing/attach-embeddings.js';
import { executeMemoryBatch } from '../domains/memory/writing/execute-memory-batch.js';
import { executeMemoryCommand } from '../domains/memory/writing/execute-memory-command.js';

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
