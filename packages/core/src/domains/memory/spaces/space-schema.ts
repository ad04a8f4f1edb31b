/** Schemas of the documents of embedding spaces (docs/contract/search.md#sea-55). */
import * as v from 'valibot';
import { Scope } from '../../../kernel/access/scope.js';
import {
  EMBEDDING_SPACES_MAX,
  QUERY_SCAN_LIMIT_MAX,
  SEARCH_DIMENSIONS_MAX,
} from '../../../contract/limits.js';
import { closed } from '../../../contract/schema/document.js';
import { named } from '../../../contract/schema/json-schema.js';
import { answeredVersion, contractVersion, integer } from '../../../contract/schema/number.js';
import { SpaceName } from '../documents/attach-schema.js';
import { DEFAULT_SPACE } from '../documents/default-space.js';
import { readMembers } from '../documents/schema.js';
import type { Spaces } from './changed-spaces.js';

/** The query parameters that name a scope. */
export const SpacesParameters = closed(readMembers);

/** The body that names a space of a scope. */
export const SpaceRequest = v.pipe(
  closed({ contract_version: contractVersion(), scope: Scope, space: SpaceName }),
  named('SpaceRequest'),
);

/** A space of a scope. */
const EmbeddingSpace = v.pipe(
  closed({
    space: SpaceName,
    /** The number of components of its embeddings; null for `default`: any. */
    dimension: v.nullable(integer(1, SEARCH_DIMENSIONS_MAX)),
    /** Whether it is being dropped: to go on, drop it again. */
    is_dropping: v.boolean(),
  }),
  named('EmbeddingSpace'),
);

const shown = {
  contract_version: answeredVersion,
  /** The one that is meant where none is named. */
  default_space: SpaceName,
  /** In the order of their names. */
  spaces: v.pipe(v.array(EmbeddingSpace), v.maxLength(EMBEDDING_SPACES_MAX)),
};

/** The spaces of a scope. */
export const SpacesResponse = v.pipe(closed(shown), named('SpacesResponse'));
export type SpacesResponse = v.InferOutput<typeof SpacesResponse>;

/** The spaces of a scope, and how much was looked at to drop one. */
export const DropResponse = v.pipe(
  closed({ ...shown, scanned_records: integer(0, QUERY_SCAN_LIMIT_MAX) }),
  named('DropResponse'),
);

/** Shows the spaces of a scope. */
export function showSpaces({ defaultName, spaces }: Spaces): SpacesResponse {
  const own = { name: DEFAULT_SPACE, dimension: null, droppedThrough: null };
  const all = spaces.some(({ name }) => name === DEFAULT_SPACE) ? spaces : [own, ...spaces];
  return {
    contract_version: 1,
    default_space: defaultName,
    spaces: all
      .map(({ name, dimension, droppedThrough: through }) => ({
        space: name,
        dimension,
        is_dropping: through !== null,
      }))
      .sort((one, other) => (one.space < other.space ? -1 : 1)),
  };
}
