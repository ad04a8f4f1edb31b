/** `attachEmbeddings`: gives records embeddings that were made after they were written. */
import { namespaceOf } from '../../access/namespace.js';
import { BATCH_BYTES_MAX } from '../../contract/limits.js';
import { CONTRACT_VERSION } from '../../contract/version.js';
import { defineTenantOperation } from '../../runtime/operation/define-operation.js';
import { AttachRequest, AttachResponse } from '../documents/attach-schema.js';
import { attachEmbedding, copyRecord } from '../record/memory-store.js';

/** It makes no revision: an embedding is derived from the texts of the revision that it names. */
export const attachEmbeddings = defineTenantOperation({
  name: 'attachEmbeddings',
  summary: 'Attach embeddings to the current revisions of records.',
  tag: 'Memory',
  input: { document: AttachRequest },
  document: { bytesMax: BATCH_BYTES_MAX },
  isHeavy: true,
  output: AttachResponse,
  requires: { capability: 'memory_write', scope: ({ document }) => document.scope },
  checks: ['document', 'version', 'rules scope', 'authority', 'rules'],
  handler: async (request) => {
    const { runtime, credential, input } = request;
    const { scope, embeddings } = input.document;
    const namespace = namespaceOf(credential, scope);
    const outcomes = await runtime.store.transact((tx) => {
      request.confirm(tx);
      return embeddings.map(({ record_id, revision, values }) => {
        const found = copyRecord(tx, namespace, record_id);
        const payload = found?.value.payload ?? null;
        const isOwn = (payload?.content.embedding ?? []).length > 0;
        const isFitting = found?.value.revision === revision && payload !== null && !isOwn;
        if (isFitting) attachEmbedding(tx, namespace, record_id, found, values);
        return { is_attached: isFitting };
      });
    });
    return { contract_version: CONTRACT_VERSION, outcomes };
  },
});
