/** Schemas of the documents of `attachEmbeddings` (docs/contract/search.md#sea-43). */
import * as v from 'valibot';
import { Scope } from '../../../kernel/access/scope.js';
import {
  ATTACHED_EMBEDDINGS_MAX,
  SEARCH_DIMENSIONS_MAX,
  SPACE_BYTES_MAX,
} from '../../../contract/limits.js';
import { closed, orNull } from '../../../contract/schema/document.js';
import { describedAs, named } from '../../../contract/schema/json-schema.js';
import { answeredVersion, contractVersion, integer } from '../../../contract/schema/number.js';
import { textId } from '../../../contract/schema/text.js';
import { uuid } from '../../../contract/schema/uuid.js';
import { Embedding } from './schema.js';

/** The name of an embedding space: of the model that made its embeddings, as a rule. */
export const SpaceName = textId(SPACE_BYTES_MAX);

/** An embedding of the texts of one revision of a record. */
const NewEmbedding = v.pipe(
  closed({
    record_id: uuid(),
    revision: integer(1),
    values: v.pipe(Embedding, v.minLength(1), v.maxLength(SEARCH_DIMENSIONS_MAX)),
  }),
  named('NewEmbedding'),
);

/** The body of `attachEmbeddings`. */
export const AttachRequest = v.pipe(
  closed({
    contract_version: contractVersion(),
    scope: Scope,
    /** The space of all of them; null for the default of the scope. */
    space: orNull(SpaceName),
    embeddings: v.pipe(
      v.array(NewEmbedding),
      v.minLength(1),
      v.maxLength(ATTACHED_EMBEDDINGS_MAX),
      v.check(
        (all) => new Set(all.map(({ record_id }) => record_id)).size === all.length,
        'records that differ',
      ),
      describedAs({ uniqueItems: true }),
    ),
  }),
  named('AttachRequest'),
);
export type AttachRequest = v.InferOutput<typeof AttachRequest>;

/** Whether each embedding was attached, in the order of the request. */
export const AttachResponse = v.pipe(
  closed({
    contract_version: answeredVersion,
    outcomes: v.pipe(
      v.array(v.pipe(closed({ is_attached: v.boolean() }), named('AttachOutcome'))),
      v.maxLength(ATTACHED_EMBEDDINGS_MAX),
    ),
  }),
  named('AttachResponse'),
);
