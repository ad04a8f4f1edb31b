/** The traits of routes fit the operations of the core. */
import { readFile } from 'node:fs/promises';
import { type OperationName, operations } from '@agentkeep/core';
import type { Operation } from '@agentkeep/core/operator';
import { expect, test } from 'vitest';
import { integerParameters, routes } from './routes.js';

const names = Object.keys(routes) as OperationName[];
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
    'traceMemoryDependents',
    'claimConsumer',
    'readConsumer',
    'commitConsumer',
    'releaseConsumer',
    'proposeMemory',
    'proposeMemoryBranch',
    'rejectMemoryProposal',
    'useEmbeddingSpace',
    'dropEmbeddingSpace',
    'importMemory',
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
  ]);
});

test('the parameters that are integers are those of the contract', async () => {
  const url = new URL('../../server/openapi.json', import.meta.url);
  const { paths } = JSON.parse(await readFile(url, 'utf8')) as {
    paths: Record<string, Record<string, { parameters?: readonly Parameter[] }>>;
  };
  const all = Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .flatMap(({ parameters = [] }) => parameters);
  expect(all.length).toBeGreaterThan(100);
  for (const { name, schema } of all) {
    // A reference is to one of several texts.
    const { type = 'string' } = schema;
    expect([name, type]).toEqual([name, integerParameters.has(name) ? 'integer' : 'string']);
  }
  expect([...integerParameters].filter((each) => all.every(({ name }) => name !== each))).toEqual(
    [],
  );
});

interface Parameter {
  readonly name: string;
  readonly schema: { readonly type?: string };
}
