/** `listExperiences`: pages through the attempts of a scope. */
import { inExampleScope } from '../../../contract/example-values.js';
import { namespaceOf } from '../../../kernel/access/namespace.js';
import { defineTenantOperation } from '../../../kernel/operation/define-operation.js';
import { attemptsAfter } from '../experience/experience-store.js';
import { scopedOperation } from '../scoped-operation.js';
import { ScopeListRequest, ExperiencesResponse } from './list-schema.js';
import { listNamespace } from './namespace-list.js';

/** In the order of stored keys; see `readExperienceHistory` for the events of one. */
export const listExperiences = defineTenantOperation({
  ...scopedOperation,
  name: 'listExperiences',
  summary: 'List the attempts of a scope, with where each stands.',
  example: { document: { ...inExampleScope, limit: 1 } },
  command: {
    name: 'experiences list',
    columns: ['receipt.request.id', 'outcome', 'revision', 'receipt.recorded_at_millis'],
    examples: [
      'agentkeep experiences list --project-id support --agent-id helper --visibility ' + 'shared',
    ],
  },
  tag: 'Experiences',
  effect: 'read',
  input: { document: ScopeListRequest },
  output: ExperiencesResponse,
  requires: { capability: 'experience_read', scope: ({ document }) => document.scope },
  isHeavy: true,
  handler: ({ runtime, credential, input }) => {
    const namespace = namespaceOf(credential, input.document.scope);
    return listNamespace(runtime.store, input.document, {
      namespace,
      of: ['experiences'],
      read: (tx, span) => attemptsAfter(tx, namespace, span),
      show: (attempt) => attempt,
      idOf: ({ receipt }) => receipt.request.id,
    });
  },
});
