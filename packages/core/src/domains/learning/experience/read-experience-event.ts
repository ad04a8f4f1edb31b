/** `readExperienceEvent`: returns one observation of an attempt, with the resulting state. */
import { inExampleScope } from '../../../contract/example-values.js';
import { namespaceOf } from '../../../kernel/access/namespace.js';
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { defineTenantOperation } from '../../../kernel/operation/define-operation.js';
import { CONTRACT_VERSION } from '../../../contract/version.js';
import { scopedRead } from '../scoped-operation.js';
import { findEvent } from './experience-store.js';
import { ExperienceEventRead, ExperienceEventResponse } from './schema.js';

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
