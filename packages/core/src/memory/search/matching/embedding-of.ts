/** The embedding that searches compare. */
import type { StoredRecord } from '../../record/record-layout.js';

/** Returns the embedding of a record, or what is attached in its place; an empty one is none. */
export function embeddingOf({ payload, attachedEmbedding }: StoredRecord): readonly number[] {
  const own = payload?.content.embedding ?? [];
  return own.length > 0 ? own : (attachedEmbedding ?? []);
}
