/** What a change did to its record. */
import * as v from 'valibot';

/** What it did. */
export const RecordAction = v.picklist(['created', 'updated', 'deleted', 'restored', 'redacted']);
export type RecordAction = v.InferOutput<typeof RecordAction>;
