/** The embedding that searches compare. */
import type { StoredRecord } from '../../record/record-layout.js';

/** Returns the embedding of a record, or else the attached one; empty if there is none. */
export function embeddingOf({ payload, attachedEmbedding }: StoredRecord): readonly number[] {
  const own = payload?.content.embedding ?? [];
  return own.length > 0 ? own : (attachedEmbedding ?? []);
}
