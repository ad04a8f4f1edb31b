/** `listEmbeddingSpaces`: shows the embedding spaces of a scope. */
import { exampleScope, exampleVersion } from '../../../contract/example-values.js';
import { namespaceOf } from '../../../kernel/access/namespace.js';
import { defineTenantOperation } from '../../../kernel/operation/define-operation.js';
import { scopedChecks } from '../../../kernel/operation/orders-of-checks.js';
import { scopeOf } from '../documents/scope-of.js';
import { showSpaces, SpacesParameters, SpacesResponse } from './space-schema.js';
import { findSpaces } from './space-store.js';

/** Shows all of them and which one is the default. */
export const listEmbeddingSpaces = defineTenantOperation({
  name: 'listEmbeddingSpaces',
  summary: 'Show the embedding spaces of a scope.',
  example: { parameters: { ...exampleVersion, ...exampleScope } },
  tag: 'Memory',
  effect: 'read',
  input: { parameters: SpacesParameters },
  output: SpacesResponse,
  requires: { capability: 'memory_read', scope: ({ parameters }) => scopeOf(parameters) },
  checks: scopedChecks,
  handler: async ({ runtime, credential, input }) => {
    const namespace = namespaceOf(credential, scopeOf(input.parameters));
    return showSpaces(await runtime.store.read((tx) => findSpaces(tx, namespace)));
  },
});
