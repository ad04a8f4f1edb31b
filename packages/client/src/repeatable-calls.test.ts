/** What the client knows of operations against what they state of themselves. */
import { type OperationName, operations } from '@agentkeep/core';
import type { Operation } from '@agentkeep/core/operator';
import { describe, expect, test } from 'vitest';
import { isVersioned } from './answers.js';
import { isRead, isRepeatable } from './repeatable-calls.js';

const names = Object.keys(operations) as OperationName[];
const operationOf = (name: OperationName): Operation => operations[name];

describe.each(names)('%s', (name) => {
  const { kind, effect, surface } = operationOf(name);

  test('is known as a read if it has no effect on stored data', () => {
    if (effect === 'read') expect(isRead(name)).toBe(true);
    else expect(isRead(name) && kind !== 'public').toBe(false);
  });

  test('has answers with a version on the platform surface', () => {
    expect(isVersioned(name)).toBe(surface === 'platform');
  });
});

test('writes are repeatable where the contract answers a replay', () => {
  expect(names.filter((name) => isRepeatable(name) && !isRead(name))).toEqual([
    'executeMemoryCommand',
    'executeMemoryBatch',
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
