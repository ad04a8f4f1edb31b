/** Schemas of the documents of scoped memory (docs/contract/memory.md). */
import * as v from 'valibot';
import { MemoryScope, Visibility } from '../../../kernel/access/scope.js';
import {
  BATCH_COMMANDS_MAX,
  EMBEDDING_MAGNITUDE_MAX,
  EVENT_TIME_MILLIS_MAX,
  EVENT_TIME_MILLIS_MIN,
  NAME_BYTES_MAX,
} from '../../../contract/limits.js';
import { asOfMembers } from './as-of-schema.js';
import { closed, jsonObject, jsonValue, orNull } from '../../../contract/schema/document.js';
import { describedAs, named } from '../../../contract/schema/json-schema.js';
import {
  answeredVersion,
  boundedInteger,
  contractVersion,
  integer,
} from '../../../contract/schema/number.js';
import { textId } from '../../../contract/schema/text.js';
import { uuid } from '../../../contract/schema/uuid.js';
import { Author, RecordAction } from './author-schema.js';
import { BATCH_SOURCES_MAX, BATCH_SUPERSEDED_MAX, SOURCES_MAX } from './lineage-limits.js';
import { Dependents, DerivedFrom, LostSource, RecordSource, Supersedes } from './lineage-schema.js';
import { MemoryProposal } from './proposal-schema.js';

/** What a refusal calls a time. */
const MILLIS = 'milliseconds since 1970, as an integer';

const eventTime = () =>
  boundedInteger(EVENT_TIME_MILLIS_MIN, EVENT_TIME_MILLIS_MAX, undefined, MILLIS);

const EPISODE_TYPES = [
  'Conversation',
  'TaskExecution',
  'Observation',
  'Decision',
  'Error',
] as const;

/** The type of a record. */
export const EpisodeType = v.pipe(
  v.union(
    [v.picklist(EPISODE_TYPES), closed({ Custom: v.string() })],
    `one of ${EPISODE_TYPES.join(', ')}, or {"Custom": "<name>"}`,
  ),
  named('EpisodeType'),
);
export type EpisodeType = v.InferOutput<typeof EpisodeType>;

/** Numbers stored as 32-bit floats. */
export const Embedding = v.pipe(
  v.array(v.number()),
  v.check(
    (numbers) => numbers.every((number) => Math.abs(number) <= EMBEDDING_MAGNITUDE_MAX),
    `numbers from -${EMBEDDING_MAGNITUDE_MAX} to ${EMBEDDING_MAGNITUDE_MAX}`,
  ),
  describedAs({
    type: 'array',
    items: {
      type: 'number',
      minimum: -EMBEDDING_MAGNITUDE_MAX,
      maximum: EMBEDDING_MAGNITUDE_MAX,
    },
  }),
);

/** The content of a record: three searchable texts, free data and an embedding. */
const RecordContent = v.pipe(
  closed({
    primary: v.string(),
    secondary: orNull(v.string()),
    context: orNull(v.string()),
    data: orNull(jsonValue()),
    embedding: orNull(Embedding),
  }),
  named('RecordContent'),
);

/** The payload of a record as it is sent. */
export const RecordInput = v.pipe(
  closed({
    episode_type: v.optional(EpisodeType, 'Observation'),
    content: RecordContent,
    /** Default: when the record is committed. */
    event_time_millis: v.optional(eventTime()),
    valid_until_millis: orNull(eventTime()),
    tags: v.optional(v.array(v.string()), () => []),
    metadata: v.optional(jsonObject(), () => ({})),
    source: v.optional(RecordSource),
    /** Revisions that the writer may read when it writes. */
    derived_from: v.optional(DerivedFrom),
    /** Records of its scope that end in the commit that writes this one. */
    supersedes: v.optional(Supersedes),
  }),
  named('RecordInput'),
);
/** A payload as it is sent, with the defaults that no state is needed for. */
export type GivenPayload = v.InferOutput<typeof RecordInput>;
/** A payload as it is stored. */
export type RecordPayload = Omit<GivenPayload, 'event_time_millis'> & {
  event_time_millis: number;
  /** The record that ended this one, where one did. */
  superseded_by?: string | undefined;
};
/** A payload as callers write it: members with defaults are optional. */
export type RecordInput = v.InferInput<typeof RecordInput>;

/** The name of a record, unique among the records of its scope that are not deleted. */
export const RecordName = v.pipe(textId(NAME_BYTES_MAX), named('RecordName'));

/** A payload in answers, with all members. */
export const ShownPayload = v.pipe(
  closed({
    ...RecordInput.entries,
    episode_type: EpisodeType,
    event_time_millis: eventTime(),
    tags: v.array(v.string()),
    metadata: jsonObject(),
    /** The record that ended this one; absent where none did. */
    superseded_by: v.optional(uuid()),
  }),
  named('RecordPayload'),
);

/** A record in answers. */
export const MemoryRecord = v.pipe(
  closed({
    schema_version: v.literal(1),
    record_id: uuid(),
    /** Absent for a record without a name. */
    name: v.optional(RecordName),
    revision: integer(1),
    created_at_millis: integer(),
    modified_at_millis: integer(),
    author: Author,
    /** Who merged this revision from a branch; absent for others. */
    merged_by: v.optional(Author),
    payload: ShownPayload,
    /** Absent unless a revision that it was derived from was redacted or deleted. */
    lost_sources: v.optional(v.pipe(v.array(LostSource), v.minLength(1), v.maxLength(SOURCES_MAX))),
  }),
  named('MemoryRecord'),
);
export type MemoryRecord = v.InferOutput<typeof MemoryRecord>;

const dependents = v.optional(Dependents);

/** The change that a command makes. */
export const MemoryChange = v.pipe(
  v.variant('type', [
    closed({ type: v.literal('create'), record: RecordInput }),
    closed({
      type: v.literal('update'),
      record_id: uuid(),
      expected_revision: integer(),
      record: RecordInput,
    }),
    closed({
      type: v.literal('delete'),
      record_id: uuid(),
      expected_revision: integer(),
      dependents,
    }),
    closed({
      type: v.literal('put'),
      name: RecordName,
      expected_revision: orNull(integer()),
      record: RecordInput,
    }),
    closed({
      type: v.literal('remove'),
      name: RecordName,
      expected_revision: orNull(integer()),
      dependents,
    }),
    closed({
      type: v.literal('restore'),
      record_id: uuid(),
      revision: integer(1),
      expected_revision: integer(),
    }),
    closed({ type: v.literal('redact'), record_id: uuid(), revision: integer(1), dependents }),
  ]),
  named('MemoryOperation'),
);
export type MemoryChange = v.InferOutput<typeof MemoryChange>;
/** A change as callers write it: members with defaults are optional. */
export type MemoryChangeInput = v.InferInput<typeof MemoryChange>;

/** Nothing is derived from what is in a branch. */
const tracesOutside = (scope: MemoryScope, operation: MemoryChange): boolean =>
  scope.branch === undefined || !('dependents' in operation && operation.dependents !== undefined);
const TRACES_OUTSIDE = 'no dependents in a branch';

/** The body of a command. */
export const MemoryCommand = v.pipe(
  closed({
    contract_version: contractVersion(),
    idempotency_key: textId(),
    scope: MemoryScope,
    operation: MemoryChange,
  }),
  v.check(({ scope, operation }) => tracesOutside(scope, operation), TRACES_OUTSIDE),
  named('MemoryCommand'),
);
export type MemoryCommand = v.InferOutput<typeof MemoryCommand>;

/** The stored outcome of a command. Every replay returns it. */
export const Receipt = v.pipe(
  closed({
    contract_version: answeredVersion,
    idempotency_key: textId(),
    record_id: uuid(),
    revision: integer(1),
    /** What it did, or does in its proposal. A redaction that only waits is `proposed`. */
    action: v.picklist([...RecordAction.options, 'proposed']),
    committed_at_millis: integer(),
    author: Author,
    /** The change waits for review in this proposal; absent for a committed one. */
    proposal: v.optional(MemoryProposal),
  }),
  named('Receipt'),
);
export type Receipt = v.InferOutput<typeof Receipt>;

/** The answer to a command. */
export const ReceiptResponse = v.pipe(
  closed({ contract_version: answeredVersion, receipt: Receipt }),
  named('ReceiptResponse'),
);

/** A command of a batch. */
export const BatchCommand = v.pipe(
  closed({ scope: MemoryScope, operation: MemoryChange }),
  v.check(({ scope, operation }) => tracesOutside(scope, operation), TRACES_OUTSIDE),
  named('BatchCommand'),
);
/** A command of a batch as callers write it. */
export type BatchCommand = v.InferInput<typeof BatchCommand>;

const sourcesOf = ({ operation }: v.InferOutput<typeof BatchCommand>): number =>
  'record' in operation ? (operation.record.derived_from?.length ?? 0) : 0;

const endedBy = ({ operation }: v.InferOutput<typeof BatchCommand>): number =>
  'record' in operation ? (operation.record.supersedes?.length ?? 0) : 0;

/** The body of a batch. */
export const MemoryBatch = v.pipe(
  closed({
    contract_version: contractVersion(),
    idempotency_key: textId(),
    commands: v.pipe(
      v.array(BatchCommand),
      v.minLength(1),
      v.maxLength(BATCH_COMMANDS_MAX),
      v.check(
        (all) => all.reduce((sum, each) => sum + sourcesOf(each), 0) <= BATCH_SOURCES_MAX,
        `records derived from ${BATCH_SOURCES_MAX} revisions in all`,
      ),
      v.check(
        (all) => all.reduce((sum, each) => sum + endedBy(each), 0) <= BATCH_SUPERSEDED_MAX,
        `records that supersede ${BATCH_SUPERSEDED_MAX} others in all`,
      ),
    ),
    /** Whether the commands are one proposal, which waits for review. */
    propose: v.optional(v.boolean()),
  }),
  named('MemoryBatch'),
);
export type MemoryBatch = v.InferOutput<typeof MemoryBatch>;

/** The stored outcome of a batch. Every replay returns it. */
export const BatchReceipt = v.pipe(
  closed({
    contract_version: answeredVersion,
    idempotency_key: textId(),
    /** One for each command, in their order. */
    outcomes: v.pipe(
      v.array(
        v.pipe(
          closed({
            record_id: Receipt.entries.record_id,
            revision: Receipt.entries.revision,
            action: Receipt.entries.action,
          }),
          named('BatchOutcome'),
        ),
      ),
      v.minLength(1),
      v.maxLength(BATCH_COMMANDS_MAX),
    ),
    committed_at_millis: integer(),
    author: Author,
    proposal: Receipt.entries.proposal,
  }),
  named('BatchReceipt'),
);
export type BatchReceipt = v.InferOutput<typeof BatchReceipt>;

/** The answer to a batch. */
export const BatchReceiptResponse = v.pipe(
  closed({ contract_version: answeredVersion, receipt: BatchReceipt }),
  named('BatchReceiptResponse'),
);

function isAtMostOne(...given: readonly unknown[]): boolean {
  return given.filter((each) => each !== undefined).length <= 1;
}

/** The query parameters of every read. */
export const readMembers = {
  contract_version: contractVersion(),
  project_id: textId(),
  mission_id: v.optional(textId()),
  agent_id: textId(),
  visibility: Visibility,
};

/** The query parameters of a read: the members of a scope, and which revision, if an old one. */
export const ReadParameters = v.pipe(
  closed({
    ...readMembers,
    branch: v.optional(uuid()),
    revision: v.optional(integer(1)),
    ...asOfMembers,
  }),
  v.check(
    ({ branch, revision, as_of_millis, as_of_cursor }) =>
      isAtMostOne(branch, revision, as_of_millis, as_of_cursor),
    'one of branch, revision, as_of_millis and as_of_cursor, or none',
  ),
);
/** The query parameters that name a scope. */
export type ScopeParameters = Pick<
  v.InferOutput<typeof ReadParameters>,
  'project_id' | 'mission_id' | 'agent_id' | 'visibility'
> & { readonly branch?: string | undefined };

/** The query parameters of a read by name. */
export const NamedReadParameters = v.pipe(
  closed({ ...readMembers, branch: v.optional(uuid()), name: RecordName, ...asOfMembers }),
  v.check(
    ({ branch, as_of_millis, as_of_cursor }) => isAtMostOne(branch, as_of_millis, as_of_cursor),
    'one of branch, as_of_millis and as_of_cursor, or none',
  ),
);

/** The answer to a read. */
export const RecordResponse = v.pipe(
  closed({ contract_version: answeredVersion, scope: MemoryScope, record: MemoryRecord }),
  named('RecordResponse'),
);
