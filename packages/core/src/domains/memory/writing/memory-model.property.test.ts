/**
 * Random histories of tenants, credentials and memory, each answer compared with a plain model of
 * the contract.
 */
import { inStore, playHistories } from '@agentkeep/testkit/player';
import { testStore } from '@agentkeep/testkit/test-store';
import { expect, test } from 'vitest';
import { inMemoryStore } from '../../../storage/in-memory-store/in-memory-store.js';

const RUNS_MIN = 300;
/** Outcomes that must occur in the histories, or they would prove little. */
const OUTCOMES = [
  ...['create done', 'update done', 'delete done', 'queryMemory done', 'readMemoryRecord done'],
  ...['create idempotency_conflict', 'update revision_conflict', 'update record_not_found'],
  ...['create forbidden', 'create unauthorized', 'create invalid_request'],
  ...['readMemoryRecord forbidden', 'readMemoryRecord unauthorized'],
  ...['readMemoryRecord record_not_found', 'issueCredential done', 'rotateCredential done'],
  ...['executeMemoryBatch done', 'executeMemoryBatch record_not_found'],
  ...['executeMemoryBatch revision_conflict', 'executeMemoryBatch idempotency_conflict'],
  ...['restore done', 'restore record_not_found', 'redact done', 'redact record_not_found'],
  ...['listMemoryRevisions done', 'listMemoryRevisions record_not_found'],
  ...['traceMemoryDependents done', 'traceMemoryDependents record_not_found'],
  ...['claimConsumer done', 'readConsumer done', 'commitConsumer done', 'deleteConsumer done'],
  ...['claimConsumer consumer_held', 'readConsumer consumer_not_held'],
  ...['createMemoryBranch done', 'createMemoryBranch revision_conflict', 'getMemoryBranch done'],
  ...['listMemoryBranches done', 'dropMemoryBranch done', 'queryMemory branch_not_found'],
  ...['compareMemoryBranch done', 'mergeMemoryBranch done', 'mergeMemoryBranch revision_conflict'],
  ...['executeMemoryCommand done', 'executeMemoryCommand record_not_found'],
  ...['searchMemory branch_not_found', 'executeMemoryCommand branch_not_found'],
  ...['proposeMemory done', 'proposeMemory forbidden', 'listMemoryProposals done'],
  ...['rejectMemoryProposal done', 'rejectMemoryProposal forbidden'],
  ...['searchMemory done', 'searchMemory forbidden', 'searchMemory invalid_request'],
  ...['revokeCredential done', 'changeScopeAuthority done', 'getStats done'],
  ...['listMemoryChanges done', 'listMemoryChanges forbidden', 'listMemoryChanges invalid_request'],
];
const TIMEOUT_MS_PER_RUN = 2_000;

/** An environment variable can raise the number. Fewer runs could miss rare outcomes. */
const runs = Math.max(RUNS_MIN, Number(process.env['AGENTKEEP_PROPERTY_RUNS'] ?? 0));
const timeout = 300_000 + runs * TIMEOUT_MS_PER_RUN;

test('histories in memory match the model', { timeout }, async () => {
  const { met } = await playHistories(runs, () => inStore(testStore()));
  expect(OUTCOMES.filter((outcome) => !met.has(outcome))).toEqual([]);
});

test('histories in a store that offers observers match the model', { timeout }, async () => {
  await playHistories(Math.ceil(runs / 10), () => inStore(inMemoryStore()));
});
