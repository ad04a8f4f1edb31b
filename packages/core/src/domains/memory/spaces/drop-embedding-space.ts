/** `dropEmbeddingSpace`: removes the attached embeddings of a space, and the space. */
import { inExampleScope } from '../../../contract/example-values.js';
import { namespaceOf, type Namespace } from '../../../kernel/access/namespace.js';
import { QUERY_SCAN_LIMIT_MAX } from '../../../contract/limits.js';
import { defineTenantOperation } from '../../../kernel/operation/define-operation.js';
import { scopedChecks } from '../../../kernel/operation/orders-of-checks.js';
import type { WriteTx } from '../../../storage/store/store.js';
import { attachEmbedding, copyRecord, idOfEntry, scanEntries } from '../record/memory-store.js';
import { dropped, droppedThrough, dropping, type Spaces } from './changed-spaces.js';
import { DropResponse, showSpaces, SpaceRequest } from './space-schema.js';
import { findSpaces, putSpaces } from './space-store.js';

/** Records of one transaction. */
const SLICE_RECORDS = 64;

/**
 * The first commit ends the space for searches and new embeddings. Each further one removes
 * embeddings and says how far it got, so that a call that was cut off can be made again.
 */
export const dropEmbeddingSpace = defineTenantOperation({
  name: 'dropEmbeddingSpace',
  summary: 'Remove an embedding space with the embeddings that were attached in it.',
  example: { document: { ...inExampleScope, space: 'voyage-3' } },
  tag: 'Memory',
  input: { document: SpaceRequest },
  output: DropResponse,
  requires: { capability: 'memory_write', scope: ({ document }) => document.scope },
  checks: scopedChecks,
  isHeavy: true,
  whenFull: 'served',
  handler: async (request) => {
    const { runtime, credential, input, nowMs } = request;
    const { scope, space } = input.document;
    const namespace = namespaceOf(credential, scope);
    for (let scanned = 0; ;) {
      const most = Math.min(SLICE_RECORDS, QUERY_SCAN_LIMIT_MAX - scanned);
      const slice = await runtime.store.transact((tx) => {
        request.confirm(tx);
        return dropSlice(tx, namespace, { name: space, most, nowMs });
      });
      scanned += slice.scanned;
      if (slice.isLast || scanned === QUERY_SCAN_LIMIT_MAX) {
        return { ...showSpaces(slice.spaces), scanned_records: scanned };
      }
      await request.turn();
    }
  },
});

interface Slice {
  readonly spaces: Spaces;
  readonly scanned: number;
  readonly isLast: boolean;
}

function dropSlice(
  tx: WriteTx,
  namespace: Namespace,
  { name, most, nowMs }: { readonly name: string; readonly most: number; readonly nowMs: number },
): Slice {
  const before = findSpaces(tx, namespace);
  const started = dropping(before, name, droppedThrough(before, name) ?? '');
  const after = droppedThrough(started, name);
  const ids: string[] = [];
  const part = { after: after === '' ? undefined : after, limit: most };
  scanEntries(tx, namespace, part, (_entry, key) => ids.push(idOfEntry(key)) < most);
  for (const id of ids) {
    const found = copyRecord(tx, namespace, id);
    if (found?.value.attached?.has(name) === true) {
      attachEmbedding(tx, namespace, id, found, { space: name, values: undefined });
    }
  }
  const isLast = ids.length < most;
  const spaces = isLast ? dropped(started, name, nowMs) : dropping(started, name, ids.at(-1) ?? '');
  putSpaces(tx, namespace, spaces);
  return { spaces, scanned: ids.length, isLast };
}
