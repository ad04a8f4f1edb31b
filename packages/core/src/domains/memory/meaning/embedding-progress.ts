/** How far the texts of a tenant have been embedded, in the store. */
import { defineFamily, working } from '../../../storage/store/family.js';
import {
  fieldsLayout,
  nested,
  number,
  orNull,
  text,
  type ValueOf,
} from '../../../storage/store/fields.js';
import type { ReadTx, WriteTx } from '../../../storage/store/store.js';

const progressLayout = fieldsLayout(1, {
  /** The model that all of this is about. */
  space: text,
  /** The position of the first change that was not examined, in hexadecimal. */
  from: text,
  /** The key from which the walk through older records goes on, in hexadecimal; null at its end. */
  walk: orNull(text),
  /** The server that goes on, where several share the store; null where none does. */
  lease: orNull(nested({ holder: text, untilMillis: number })),
});

/** How far the texts of a tenant have been embedded. */
export type EmbeddingProgress = ValueOf<typeof progressLayout>;

/** How far the memory of the tenant has been embedded. */
export const embeddingProgress = defineFamily({
  name: 'embeddingProgress',
  number: 123,
  key: [],
  layout: progressLayout,
  sealedBy: null,
  owner: 'tenant',
  exported: { not: 'working' },
  erased: 'kept',
  counts: null,
  derived: working,
});

/** Returns how far the memory of a tenant has been embedded; `undefined` before the first look. */
export function findProgress(tx: ReadTx, tenantId: string): EmbeddingProgress | undefined {
  return embeddingProgress.get(tx, tenantId);
}

/** Stores how far the memory of a tenant has been embedded. */
export function putProgress(tx: WriteTx, tenantId: string, progress: EmbeddingProgress): void {
  embeddingProgress.put(tx, progress, tenantId);
}
