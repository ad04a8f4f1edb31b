/** The traits of routes fit the operations of the core. */
import { type OperationName, operations } from '@agentkeep/core';
import type { Operation } from '@agentkeep/core/operator';
import { expect, test } from 'vitest';
import { routes } from './routes.js';

const names = Object.keys(operations) as OperationName[];
const operationOf = (name: OperationName): Operation => operations[name];

test.each(names)('%s is repeatable if it has no effect on stored data', (name) => {
  if (operationOf(name).effect === 'read') expect(routes[name].isRepeatable).toBe(true);
});

const isRepeatableWrite = (name: OperationName): boolean =>
  routes[name].isRepeatable && routes[name].method !== 'GET' && operationOf(name).effect !== 'read';

test('writes are repeatable where the contract answers a replay', () => {
  expect(names.filter(isRepeatableWrite)).toEqual([
    'issueFederatedToken',
    'issueSubjectToken',
    'executeMemoryCommand',
    'executeMemoryBatch',
    'claimConsumer',
    'readConsumer',
    'commitConsumer',
    'releaseConsumer',
    'traceMemoryDependents',
    'useEmbeddingSpace',
    'dropEmbeddingSpace',
    'proposeMemory',
    'proposeMemoryBranch',
    'rejectMemoryProposal',
    'registerLearningPolicy',
    'registerLearningContext',
    'proposeProcedure',
    'admitEvaluation',
    'registerToolExecutor',
    'registerToolArtifact',
    'requestToolDevelopment',
    'recordToolDevelopmentEvent',
    'registerExperience',
    'recordExperienceEvent',
    'authRefresh',
    'importMemory',
  ]);
});
