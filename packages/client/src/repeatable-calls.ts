/** Which operations have the same effect however often the same call is sent. */
import type { OperationName } from '@agentkeep/core/clients';
import { routes } from './routes.js';

/** Operations that only read, although their input is too large for a query string. */
const postedReads: readonly OperationName[] = [
  'queryMemory',
  'searchMemory',
  'readProcedure',
  'readEvaluationAdmission',
  'selectProcedure',
  'readToolArtifact',
  'readToolDevelopment',
  'readToolDevelopmentEvent',
  'readExperience',
  'readExperienceEvent',
  'readExperienceHistory',
];

/**
 * Writes that answer the same call again with the first receipt. What names their intent, an
 * idempotency key or an id, is in the document, so it is made before the first try.
 */
const replayedWrites: readonly OperationName[] = [
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
];

/** A new access token changes nothing but the time of the last use of its session. */
const renewal: OperationName = 'authRefresh';

const repeatable = new Set<OperationName>([...postedReads, ...replayedWrites, renewal]);

/** Returns whether an operation only reads. */
export function isRead(name: OperationName): boolean {
  return routes[name].method === 'GET' || postedReads.includes(name);
}

/** Returns whether a call may be sent again when its answer was lost. */
export function isRepeatable(name: OperationName): boolean {
  return isRead(name) || repeatable.has(name);
}
