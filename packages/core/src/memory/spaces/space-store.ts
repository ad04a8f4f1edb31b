/** The embedding spaces of scopes in the store. */
import type { Namespace } from '../../access/namespace.js';
import { keyspace } from '../../storage/store/keyspace.js';
import { jsonLayout } from '../../storage/store/layouts.js';
import type { ReadTx, WriteTx } from '../../storage/store/store.js';
import { Subspace } from '../../storage/store/subspace.js';
import { NO_SPACES, type Spaces } from './changed-spaces.js';

const spaces = new Subspace(keyspace.embeddingSpaces, jsonLayout<Spaces>(1));

/** The subspace of embedding spaces, by its name in the key space. */
export const spaceSubspaces = { embeddingSpaces: spaces };

/** Returns the embedding spaces of a scope. */
export function findSpaces(tx: ReadTx, { tenantId, digest }: Namespace): Spaces {
  return spaces.get(tx, tenantId, digest) ?? NO_SPACES;
}

/** Stores the embedding spaces of a scope. */
export function putSpaces(tx: WriteTx, { tenantId, digest }: Namespace, all: Spaces): void {
  spaces.put(tx, all, tenantId, digest);
}
