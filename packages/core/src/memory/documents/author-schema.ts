/** Who made a change, as answers show it. */
import * as v from 'valibot';
import { closed } from '../../contract/schema/document.js';
import { named } from '../../contract/schema/json-schema.js';
import { textId } from '../../contract/schema/text.js';
import { uuid } from '../../contract/schema/uuid.js';

/** The author of the last change of a record. */
export const Author = v.pipe(
  closed({ credential_id: uuid(), subject_id: textId() }),
  named('Author'),
);
export type Author = v.InferOutput<typeof Author>;
