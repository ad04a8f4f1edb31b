/** The embedding spaces of scopes in the store. */
import type { Namespace } from '../../../kernel/access/namespace.js';
import { defineFamily } from '../../../storage/store/family.js';
import { jsonLayout } from '../../../storage/store/layouts.js';
import type { ReadTx, WriteTx } from '../../../storage/store/store.js';
import { NO_SPACES, type Spaces } from './changed-spaces.js';

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
