/** The operations that show experiences, their events and histories. */
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { inExampleScope } from '../../../contract/example-values.js';
import { CONTRACT_VERSION } from '../../../contract/version.js';
import { namespaceOf } from '../../../kernel/access/namespace.js';
import { defineTenantOperation } from '../../../kernel/operation/define-operation.js';
import { scopedOperation, scopedRead } from '../scoped-operation.js';
import { findAttempt, findEvent } from './experience-store.js';
import { historyPage } from './history.js';
import {
  ExperienceEventRead,
  ExperienceEventResponse,
  ExperienceHistoryRequest,
  ExperienceHistoryResponse,
  ExperienceRead,
  ExperienceResponse,
} from './schema.js';

/** Returns the state without its events; see `readExperienceHistory`. */
export const readExperience = defineTenantOperation({
  ...scopedRead,
  name: 'readExperience',
  summary: 'Read where an attempt stands.',
  example: { document: { ...inExampleScope, attempt_id: 'attempt-1' } },
  tag: 'Experiences',
  input: { document: ExperienceRead },
  output: ExperienceResponse,
  requires: { capability: 'experience_read', scope: ({ document }) => document.scope },
  handler: async ({ runtime, credential, input }) => {
    const { scope, attempt_id: id } = input.document;
    const namespace = namespaceOf(credential, scope);
    const experience = await runtime.store.read((tx) => findAttempt(tx, namespace, id));
    if (experience === undefined) throw new AgentkeepError('record_not_found');
    return { contract_version: CONTRACT_VERSION, experience };
  },
});

/** Events never change. */
export const readExperienceEvent = defineTenantOperation({
  ...scopedRead,
  name: 'readExperienceEvent',
  summary: 'Read an observation of an attempt, with the state after it.',
  example: { document: { ...inExampleScope, attempt_id: 'attempt-1', event_id: 'outcome-1' } },
  tag: 'Experiences',
  input: { document: ExperienceEventRead },
  output: ExperienceEventResponse,
  requires: { capability: 'experience_read', scope: ({ document }) => document.scope },
  handler: async ({ runtime, credential, input }) => {
    const { scope, attempt_id: attemptId, event_id: eventId } = input.document;
    const namespace = namespaceOf(credential, scope);
    const event = await runtime.store.read((tx) => findEvent(tx, namespace, attemptId, eventId));
    if (event === undefined) throw new AgentkeepError('record_not_found');
    return { contract_version: CONTRACT_VERSION, event };
  },
});

/** The cursor holds the whole state of the traversal. It grants no rights. */
export const readExperienceHistory = defineTenantOperation({
  ...scopedOperation,
  name: 'readExperienceHistory',
  summary: 'Read the observations of an attempt, frozen at the revision of the first page.',
  example: { document: { ...inExampleScope, attempt_id: 'attempt-1', query: { limit: 20 } } },
  tag: 'Experiences',
  effect: 'read',
  input: { document: ExperienceHistoryRequest },
  output: ExperienceHistoryResponse,
  requires: { capability: 'experience_read', scope: ({ document }) => document.scope },
  errors: ['record_not_found', 'idempotency_conflict'],
  isHeavy: true,
  handler: async ({ runtime, credential, input }) => {
    const { scope, attempt_id: attemptId, query } = input.document;
    const namespace = namespaceOf(credential, scope);
    const page = await runtime.store.read((tx) => {
      const attempt = findAttempt(tx, namespace, attemptId);
      if (attempt === undefined) throw new AgentkeepError('record_not_found');
      return historyPage(tx, namespace, attempt, query);
    });
    return { contract_version: CONTRACT_VERSION, page };
  },
});
