/** `useEmbeddingSpace`: makes a space the default of a scope. */
import { inExampleScope } from '../../../contract/example-values.js';
import { namespaceOf } from '../../../kernel/access/namespace.js';
import { defineTenantOperation } from '../../../kernel/operation/define-operation.js';
import { scopedChecks } from '../../../kernel/operation/orders-of-checks.js';
import { withDefault } from './changed-spaces.js';
import { showSpaces, SpaceRequest, SpacesResponse } from './space-schema.js';
import { findSpaces, putSpaces } from './space-store.js';

/** Searches and new embeddings that name no space are in it from the commit on. */
export const useEmbeddingSpace = defineTenantOperation({
  name: 'useEmbeddingSpace',
  summary: 'Make an embedding space the default of a scope.',
  example: { document: { ...inExampleScope, space: 'default' } },
  tag: 'Memory',
  input: { document: SpaceRequest },
  output: SpacesResponse,
  requires: { capability: 'memory_write', scope: ({ document }) => document.scope },
  checks: scopedChecks,
  whenFull: 'served',
  handler: (request) => {
    const { runtime, credential, input } = request;
    const { scope, space } = input.document;
    const namespace = namespaceOf(credential, scope);
    return runtime.store.transact((tx) => {
      request.confirm(tx);
      const before = findSpaces(tx, namespace);
      const after = withDefault(before, space);
      if (after.defaultName !== before.defaultName) putSpaces(tx, namespace, after);
      return showSpaces(after);
    });
  },
});
