/** Schemas of the lines of exports, as an import checks them. */
import * as v from 'valibot';
import { Actor } from '../../kernel/access/actor.js';
import { Scope } from '../../kernel/access/scope.js';
import {
  EMBEDDING_SPACES_MAX,
  EVENT_TIME_MILLIS_MAX,
  SEARCH_DIMENSIONS_MAX,
} from '../../contract/limits.js';
import { closed } from '../../contract/schema/document.js';
import { finiteNumber, integer } from '../../contract/schema/number.js';
import { textId } from '../../contract/schema/text.js';
import { uuid } from '../../contract/schema/uuid.js';
import { Experience, ExperienceEvent } from '../../domains/learning/experience/schema.js';
import {
  EvaluationContext,
  learningText,
  PolicyDefinition,
} from '../../domains/learning/policy/schema.js';
import {
  AdmissionOutcome,
  AdmissionReason,
  EvaluationSubmission,
} from '../../domains/learning/procedure/evaluation-schema.js';
import {
  LearningProposal,
  ProcedureDecision,
  ProcedureStateName,
} from '../../domains/learning/procedure/procedure-schema.js';
import { WEALTH_MAX } from '../../domains/learning/evidence/wealth-policy.js';
import {
  ToolDevelopment,
  ToolDevelopmentEvent,
} from '../../domains/learning/tool/development-schema.js';
import { ToolArtifact, ToolExecutor } from '../../domains/learning/tool/schema.js';
import { MemoryBranch } from '../../domains/memory/branching/branch-schema.js';
import { SpaceName } from '../../domains/memory/documents/attach-schema.js';
import { SOURCES_MAX } from '../../domains/memory/documents/lineage-limits.js';
import { Author } from '../../domains/memory/documents/author-schema.js';
import { Embedding, MemoryRecord } from '../../domains/memory/documents/schema.js';
import type { PlainLine } from '../export/line-forms.js';
import { Figures } from './figures-schema.js';
import { IMPORT_COUNT_MAX } from './import-limits.js';

/** A digest of a namespace in base64url. */
const NamespaceDigest = v.pipe(v.string(), v.regex(/^[\w-]{43}$/));
/** Longest text of who registered something: a credential id and a subject. */
const ACTOR_UNITS_MAX = 512;
const DigestText = v.pipe(v.string(), v.maxLength(128));
/** A time that a server noted. */
export const Millis = integer(0, EVENT_TIME_MILLIS_MAX);
/** A revision of anything. */
export const Revision = integer(1, IMPORT_COUNT_MAX);
const AttachedEmbedding = v.pipe(Embedding, v.minLength(1), v.maxLength(SEARCH_DIMENSIONS_MAX));
const AttachedEmbeddings = v.pipe(
  v.record(SpaceName, AttachedEmbedding),
  v.check((all) => Object.keys(all).length <= EMBEDDING_SPACES_MAX),
);

/** The tenant that an export comes from, as its first line states it. */
export const OriginLine = v.object({ line: v.literal('export'), tenant_id: textId() });

/** The line of a scope. */
export const ScopeLine = closed({
  line: v.literal('scope'),
  namespace: NamespaceDigest,
  scope: Scope,
  subject_id: v.nullable(textId()),
  branch: v.optional(uuid()),
});
export type ScopeLine = v.InferOutput<typeof ScopeLine>;

const branchMembers = MemoryBranch.entries;

/** The line of a branch. */
export const BranchLine = closed({
  line: v.literal('branch'),
  id: branchMembers.id,
  name: branchMembers.name,
  scopes: branchMembers.scopes,
  created_at_millis: Millis,
  ends_at_millis: Millis,
  purpose: branchMembers.purpose,
  author: branchMembers.author,
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

/** Any other line. */
export const ShownLine = closed({
  line: v.string(),
  namespace: v.optional(NamespaceDigest),
  key: v.pipe(
    v.array(v.union([v.pipe(v.string(), v.maxLength(512)), finiteNumber()])),
    v.maxLength(4),
  ),
  value: v.unknown(),
});
export type ShownLine = v.InferOutput<typeof ShownLine>;

const Definition = <S extends v.GenericSchema>(payload: S) =>
  closed({
    payload,
    payload_digest: DigestText,
    registered_by: v.pipe(v.string(), v.maxLength(ACTOR_UNITS_MAX)),
    recorded_at_millis: Millis,
  });

const ShownSpaces = closed({
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

/** The values of lines. A value is stored as it was sent, once it matches. */
export const valueSchemas: Readonly<Record<PlainLine, v.GenericSchema>> = {
  redacted_source: v.null(),
  embedding_spaces: ShownSpaces,
  policy: Definition(PolicyDefinition),
  context: Definition(EvaluationContext),
  procedure: closed({
    request: LearningProposal,
    fingerprint: DigestText,
    policy_digest: DigestText,
    context_digest: DigestText,
    actor: v.pipe(v.string(), v.maxLength(ACTOR_UNITS_MAX)),
    created_at_millis: Millis,
  }),
  procedure_state: v.pipe(
    closed({
      state: ProcedureStateName,
      figures: Figures,
      decisions: v.array(ProcedureDecision),
    }),
    v.check(({ state, figures }) => state !== 'Active' || figures.lower_improvement_bound !== null),
  ),
  candidate: closed({
    id: learningText(),
    wealth: integer(0, WEALTH_MAX),
    is_accepted: v.boolean(),
  }),
  evaluation: closed({
    submission: EvaluationSubmission,
    fingerprint: DigestText,
    outcome: AdmissionOutcome,
    reason: AdmissionReason,
    state_after: ProcedureStateName,
    actor: closed(Actor.entries),
    recorded_at_millis: Millis,
  }),
  executor: ToolExecutor,
  artifact: ToolArtifact,
  development: ToolDevelopment,
  development_event: ToolDevelopmentEvent,
  attempt: Experience,
  attempt_event: ExperienceEvent,
};
