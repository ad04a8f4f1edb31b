/** The operations on embedding spaces of a scope. */
import { exampleScope, exampleVersion, inExampleScope } from '../../../contract/example-values.js';
import { QUERY_SCAN_LIMIT_MAX } from '../../../contract/limits.js';
import { type Namespace, namespaceOf } from '../../../kernel/access/namespace.js';
import { defineTenantOperation } from '../../../kernel/operation/define-operation.js';
import { scopedChecks } from '../../../kernel/operation/orders-of-checks.js';
import { defineFamily } from '../../../storage/store/family.js';
import { jsonLayout } from '../../../storage/store/fields.js';
import type { ReadTx, WriteTx } from '../../../storage/store/store.js';
import { scopeOf } from '../documents/scope-of.js';
import { attachEmbedding, copyRecord, idOfEntry, scanEntries } from '../record/memory-store.js';
import {
  dropped,
  droppedThrough,
  dropping,
  NO_SPACES,
  type Spaces,
  withDefault,
} from './changed-spaces.js';
import {
  DropResponse,
  showSpaces,
  SpaceRequest,
  SpacesParameters,
  SpacesResponse,
} from './space-schema.js';

/** Embedding spaces of a scope, by namespace. */
export const embeddingSpaces = defineFamily({
  name: 'embeddingSpaces',
  number: 79,
  key: ['digest'],
  layout: jsonLayout<Spaces>(1),
  sealedBy: null,
  owner: 'scope',
  exported: { line: 'embedding_spaces' },
  erased: 'removed',
  counts: null,
});

/** Returns the embedding spaces of a scope. */
export function findSpaces(tx: ReadTx, { tenantId, digest }: Namespace): Spaces {
  return embeddingSpaces.get(tx, tenantId, digest) ?? NO_SPACES;
}

/** Stores the embedding spaces of a scope. */
export function putSpaces(tx: WriteTx, { tenantId, digest }: Namespace, all: Spaces): void {
  embeddingSpaces.put(tx, all, tenantId, digest);
}

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
  const last = ids.at(-1);
  const isLast = last === undefined || ids.length < most;
  const spaces = isLast ? dropped(started, name, nowMs) : dropping(started, name, last);
  putSpaces(tx, namespace, spaces);
  return { spaces, scanned: ids.length, isLast };
}
