/** Schemas of the lines of exports, as an import checks them. */
import * as v from 'valibot';
import { Scope } from '../../access/scope.js';
import { closed, jsonObject } from '../../contract/schema/document.js';
import { finiteNumber, integer } from '../../contract/schema/number.js';
import { textId } from '../../contract/schema/text.js';
import { uuid } from '../../contract/schema/uuid.js';
import { Experience, ExperienceEvent } from '../../learning/experience/schema.js';
import { EvaluationContext, learningText, PolicyDefinition } from '../../learning/policy/schema.js';
import {
  AdmissionOutcome,
  AdmissionReason,
  EvaluationSubmission,
} from '../../learning/procedure/evaluation-schema.js';
import {
  LearningProposal,
  ProcedureDecision,
  ProcedureStateName,
} from '../../learning/procedure/procedure-schema.js';
import { ToolDevelopment, ToolDevelopmentEvent } from '../../learning/tool/development-schema.js';
import { ToolArtifact, ToolExecutor } from '../../learning/tool/schema.js';
import { MemoryBranch } from '../../memory/branching/branch-schema.js';
import { SpaceName } from '../../memory/documents/attach-schema.js';
import { SOURCES_MAX } from '../../memory/documents/lineage-limits.js';
import { Author } from '../../memory/documents/author-schema.js';
import { Embedding, MemoryRecord } from '../../memory/documents/schema.js';
import type { PlainLine } from '../export/line-forms.js';

/** A digest of a namespace in base64url. */
const NamespaceDigest = v.pipe(v.string(), v.regex(/^[\w-]{43}$/));
const DigestText = v.pipe(v.string(), v.maxLength(128));
const Millis = integer();

/** The origin of an export, as its first line states it. */
export const OriginLine = v.object({
  line: v.literal('export'),
  tenant_id: textId(),
  exported_at_millis: Millis,
});

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
  created_at_millis: branchMembers.created_at_millis,
  ends_at_millis: branchMembers.ends_at_millis,
  purpose: branchMembers.purpose,
  author: branchMembers.author,
});
export type BranchLine = v.InferOutput<typeof BranchLine>;

const { schema_version, record_id, name, revision, author, payload } = MemoryRecord.entries;
const { created_at_millis, modified_at_millis, merged_by } = MemoryRecord.entries;

const StoredRecordMembers = {
  namespace: NamespaceDigest,
  record: closed({
    ...{ schema_version, record_id, name, revision, created_at_millis, modified_at_millis },
    author,
    payload: v.nullable(payload),
    merged_by,
  }),
  attached: v.optional(v.record(SpaceName, Embedding)),
  kept_until_millis: v.optional(Millis),
  idempotency_key: v.optional(textId()),
  sources: v.optional(
    v.pipe(v.array(v.strictTuple([NamespaceDigest, uuid(), integer(1)])), v.maxLength(SOURCES_MAX)),
  ),
};

/** The line of a record. */
export const RecordLine = closed({
  line: v.literal('record'),
  ...StoredRecordMembers,
  /** In a branch: the revision that it is compared with outside, and the same one in the branch. */
  base: v.optional(closed({ revision: integer(1), revision_in_branch: integer(1) })),
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
    registered_by: v.string(),
    recorded_at_millis: Millis,
  });

const Figures = v.looseObject({
  qualification_count: integer(),
  mean_improvement: finiteNumber(),
  mean_candidate_utility: finiteNumber(),
  budget_violations: integer(),
  lower_improvement_bound: v.nullable(finiteNumber()),
  monitoring_count: integer(),
  failure_streak: integer(),
  betting: v.optional(jsonObject()),
});

const ShownSpaces = closed({
  default_name: SpaceName,
  spaces: v.array(
    closed({
      name: SpaceName,
      dimension: v.nullable(integer(1)),
      since_millis: Millis,
      dropped_through: v.nullable(v.string()),
    }),
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
    actor: v.string(),
    created_at_millis: Millis,
  }),
  procedure_state: closed({
    state: ProcedureStateName,
    figures: Figures,
    decisions: v.array(ProcedureDecision),
  }),
  candidate: closed({ id: learningText(), wealth: finiteNumber(), is_accepted: v.boolean() }),
  evaluation: closed({
    submission: EvaluationSubmission,
    fingerprint: DigestText,
    outcome: AdmissionOutcome,
    reason: AdmissionReason,
    state_after: ProcedureStateName,
    actor: jsonObject(),
    recorded_at_millis: Millis,
  }),
  executor: ToolExecutor,
  artifact: ToolArtifact,
  development: ToolDevelopment,
  development_event: ToolDevelopmentEvent,
  attempt: Experience,
  attempt_event: ExperienceEvent,
};
