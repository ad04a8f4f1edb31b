/** `attachEmbeddings`: gives records embeddings that were made after they were written. */
import { exampleId, inExampleScope } from '../../../contract/example-values.js';
import { namespaceOf } from '../../../kernel/access/namespace.js';
import { BATCH_BYTES_MAX } from '../../../contract/limits.js';
import { CONTRACT_VERSION } from '../../../contract/version.js';
import { defineTenantOperation } from '../../../kernel/operation/define-operation.js';
import { scopedChecks } from '../../../kernel/operation/orders-of-checks.js';
import { AttachRequest, AttachResponse } from '../documents/attach-schema.js';
import { DEFAULT_SPACE } from '../documents/default-space.js';
import { attachEmbedding, copyRecord } from '../record/memory-store.js';
import { attachedIn } from '../spaces/changed-spaces.js';
import { findSpaces, putSpaces } from '../spaces/embedding-spaces.js';

/** It makes no revision: an embedding is derived from the texts of the revision that it names. */
export const attachEmbeddings = defineTenantOperation({
  name: 'attachEmbeddings',
  summary: 'Attach embeddings to the current revisions of records.',
  example: {
    document: {
      ...inExampleScope,
      embeddings: [{ record_id: exampleId, revision: 1, values: [0.12, -0.4, 0.91] }],
    },
  },
  tag: 'Memory',
  input: { document: AttachRequest },
  document: { bytesMax: BATCH_BYTES_MAX },
  isHeavy: true,
  output: AttachResponse,
  requires: { capability: 'memory_write', scope: ({ document }) => document.scope },
  checks: scopedChecks,
  handler: async (request) => {
    const { runtime, credential, input, nowMs } = request;
    const { scope, embeddings, space: named } = input.document;
    const namespace = namespaceOf(credential, scope);
    const outcomes = await runtime.store.transact((tx) => {
      request.confirm(tx);
      const before = findSpaces(tx, namespace);
      const space = named ?? before.defaultName;
      const dimensions = embeddings.map(({ values }) => values.length);
      const after = attachedIn(before, space, { dimensions, nowMs: nowMs });
      if (after !== before) putSpaces(tx, namespace, after);
      return embeddings.map(({ record_id, revision, values }) => {
        const found = copyRecord(tx, namespace, record_id);
        const payload = found?.value.payload ?? null;
        const own = payload?.content.embedding ?? [];
        const isOwn = space === DEFAULT_SPACE && own.length > 0;
        const isFitting = found?.value.revision === revision && payload !== null && !isOwn;
        if (isFitting) attachEmbedding(tx, namespace, record_id, found, { space, values });
        return { is_attached: isFitting };
      });
    });
    return { contract_version: CONTRACT_VERSION, outcomes };
  },
});
