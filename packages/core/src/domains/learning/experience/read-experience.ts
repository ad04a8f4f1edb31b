/** `readExperience`: returns the current state of an attempt. */
import { inExampleScope } from '../../../contract/example-values.js';
import { namespaceOf } from '../../../kernel/access/namespace.js';
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { defineTenantOperation } from '../../../kernel/operation/define-operation.js';
import { CONTRACT_VERSION } from '../../../contract/version.js';
import { scopedRead } from '../scoped-operation.js';
import { findAttempt } from './experience-store.js';
import { ExperienceRead, ExperienceResponse } from './schema.js';

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
