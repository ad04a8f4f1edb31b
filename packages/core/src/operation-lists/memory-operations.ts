/** Operations on records, searches, changes and consumers. */
import { listMemoryChanges } from '../memory/changes/list-memory-changes.js';
import { claimConsumer } from '../memory/consumers/claim-consumer.js';
import { commitConsumer } from '../memory/consumers/commit-consumer.js';
import { deleteConsumer } from '../memory/consumers/delete-consumer.js';
import { listConsumers } from '../memory/consumers/list-consumers.js';
import { readConsumer } from '../memory/consumers/read-consumer.js';
import { releaseConsumer } from '../memory/consumers/release-consumer.js';
import { traceMemoryDependents } from '../memory/dependents/trace-memory-dependents.js';
import { listMemoryRevisions } from '../memory/reading/list-memory-revisions.js';
import { readMemoryRecord } from '../memory/reading/read-memory-record.js';
import { readNamedRecord } from '../memory/reading/read-named-record.js';
import { getMemoryRetention } from '../memory/retention/get-memory-retention.js';
import { setMemoryRetention } from '../memory/retention/set-memory-retention.js';
import { queryMemory } from '../memory/search/query-memory.js';
import { searchMemory } from '../memory/search/search-memory.js';
import { dropEmbeddingSpace } from '../memory/spaces/drop-embedding-space.js';
import { listEmbeddingSpaces } from '../memory/spaces/list-embedding-spaces.js';
import { useEmbeddingSpace } from '../memory/spaces/use-embedding-space.js';
import { attachEmbeddings } from '../memory/writing/attach-embeddings.js';
import { executeMemoryBatch } from '../memory/writing/execute-memory-batch.js';
import { executeMemoryCommand } from '../memory/writing/execute-memory-command.js';

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
