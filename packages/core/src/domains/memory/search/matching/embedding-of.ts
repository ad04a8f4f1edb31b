/** The embedding that searches compare. */
import { DEFAULT_SPACE } from '../../documents/default-space.js';
import type { StoredRecord } from '../../record/record-layout.js';

/**
 * Returns the embedding of a record in a space: in the default one its own or else the attached
 * one; empty if there is none.
 */
export function embeddingOf({ payload, attached }: StoredRecord, space: string): readonly number[] {
  const own = space === DEFAULT_SPACE ? (payload?.content.embedding ?? []) : [];
  return own.length > 0 ? own : (attached?.get(space) ?? []);
}
