/** Schemas of the lines of memory. */
import * as v from 'valibot';
import { EMBEDDING_SPACES_MAX, SEARCH_DIMENSIONS_MAX } from '../../../contract/limits.js';
import { closed } from '../../../contract/schema/document.js';
import { integer } from '../../../contract/schema/number.js';
import { textId } from '../../../contract/schema/text.js';
import { uuid } from '../../../contract/schema/uuid.js';
import { Millis, NamespaceDigest, Revision } from '../../../upkeep/lines/line-schemas.js';
import { MemoryBranch } from '../branching/branch-schema.js';
import { SpaceName } from '../documents/attach-schema.js';
import { Author } from '../documents/author-schema.js';
import { SOURCES_MAX } from '../documents/lineage-limits.js';
import { Embedding, MemoryRecord } from '../documents/schema.js';

const AttachedEmbedding = v.pipe(Embedding, v.minLength(1), v.maxLength(SEARCH_DIMENSIONS_MAX));
const AttachedEmbeddings = v.pipe(
  v.record(SpaceName, AttachedEmbedding),
  v.check((all) => Object.keys(all).length <= EMBEDDING_SPACES_MAX),
);

/** Leaves out the position, which means nothing elsewhere. */
const membersOf = ({ position: _position, ...members }: typeof MemoryBranch.entries) => members;

/** The line of a branch. */
export const BranchLine = closed({
  line: v.literal('branch'),
  ...membersOf(MemoryBranch.entries),
  created_at_millis: Millis,
  ends_at_millis: Millis,
});
export type BranchLine = v.InferOutput<typeof BranchLine>;

const { schema_version, record_id, name, author, payload, merged_by } = MemoryRecord.entries;

const StoredRecordMembers = {
  namespace: NamespaceDigest,
  record: closed({
    ...{ schema_version, record_id, name, author },
    revision: Revision,
    created_at_millis: Millis,
    modified_at_millis: Millis,
    payload: v.nullable(payload),
    merged_by,
  }),
  attached: v.optional(AttachedEmbeddings),
  kept_until_millis: v.optional(Millis),
  idempotency_key: v.optional(textId()),
  sources: v.optional(
    v.pipe(
      v.array(v.strictTuple([v.nullable(NamespaceDigest), uuid(), Revision])),
      v.maxLength(SOURCES_MAX),
    ),
  ),
};

/** Earlier merges of a record that a line has at most. */
const MERGES_MAX = 10_000;

/** The line of a record. */
export const RecordLine = closed({
  line: v.literal('record'),
  ...StoredRecordMembers,
  /** In a branch: the revision that it is compared with outside, and the same one in the branch. */
  base: v.optional(
    closed({
      revision: Revision,
      revision_in_branch: Revision,
      /** Absent for a record that the branch made. */
      copied_revision: v.optional(Revision),
      /** Earlier merges: the revision in the branch, what it became outside. */
      earlier: v.optional(
        v.pipe(v.array(v.strictTuple([Revision, Revision])), v.maxLength(MERGES_MAX)),
      ),
    }),
  ),
});
export type RecordLine = v.InferOutput<typeof RecordLine>;

/** The line of a superseded revision. */
export const RevisionLine = closed({
  line: v.literal('revision'),
  ...StoredRecordMembers,
  superseded_at_millis: Millis,
  redaction: v.optional(closed({ at_millis: Millis, author: Author })),
});
export type RevisionLine = v.InferOutput<typeof RevisionLine>;

/** The value of a line with the embedding spaces of a scope. */
export const ShownSpaces = closed({
  default_name: SpaceName,
  spaces: v.pipe(
    v.array(
      closed({
        name: SpaceName,
        dimension: v.nullable(integer(1, SEARCH_DIMENSIONS_MAX)),
        since_millis: Millis,
        dropped_through: v.nullable(v.union([v.literal(''), uuid()])),
      }),
    ),
    v.maxLength(EMBEDDING_SPACES_MAX),
  ),
});
