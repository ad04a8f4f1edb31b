/** Who made a change, as answers show it, and what it did to its record. */
import * as v from 'valibot';
import { closed } from '../../../contract/schema/document.js';
import { named } from '../../../contract/schema/json-schema.js';
import { textId } from '../../../contract/schema/text.js';
import { uuid } from '../../../contract/schema/uuid.js';
import type { ActingCredential } from '../../../kernel/access/principal.js';

/** The author of the last change of a record. */
export const Author = v.pipe(
  closed({ credential_id: uuid(), subject_id: textId() }),
  named('Author'),
);
export type Author = v.InferOutput<typeof Author>;

/** Returns a credential as the author of what it writes, or as a reviewer. */
export function authorOf({ id, spec }: Pick<ActingCredential, 'id' | 'spec'>): Author {
  return { credential_id: id, subject_id: spec.subject_id };
}

/** What it did. */
export const RecordAction = v.picklist(['created', 'updated', 'deleted', 'restored', 'redacted']);
export type RecordAction = v.InferOutput<typeof RecordAction>;
