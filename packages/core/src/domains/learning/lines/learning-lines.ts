/** Lines of learning in exports and imports. */
import * as v from 'valibot';
import { FAILURE_STREAK_MAX, QUALIFICATION_TRIALS_MAX } from '../../../contract/limits.js';
import { closed } from '../../../contract/schema/document.js';
import { boundedNumber, integer } from '../../../contract/schema/number.js';
import { utf8Bytes } from '../../../contract/schema/text.js';
import { Actor } from '../../../kernel/access/actor.js';
import type { Namespace } from '../../../kernel/access/namespace.js';
import { textDigest } from '../../../storage/store/key.js';
import type { Entry, WriteTx } from '../../../storage/store/store.js';
import { ifReadable } from '../../../storage/store/value.js';
import { IMPORT_COUNT_MAX } from '../../../upkeep/lines/import-limits.js';
import { DigestText, Millis } from '../../../upkeep/lines/line-schemas.js';
import {
  ANY,
  type PlainLine,
  shownDigest,
  type Stated,
} from '../../../upkeep/lines/stored-line.js';
import { SHARES, UTILITY_UNITS, WEALTH_MAX } from '../evidence/wealth-policy.js';
import { findAttempt } from '../experience/experience-store.js';
import { Experience, ExperienceEvent } from '../experience/schema.js';
import { basisDigest } from '../policy/evaluation-basis.js';
import { EvaluationContext, learningText, PolicyDefinition } from '../policy/schema.js';
import { learningEvidence, type StoredAdmission } from '../procedure/admission-store.js';
import {
  AdmissionOutcome,
  AdmissionReason,
  EvaluationSubmission,
} from '../procedure/evaluation-schema.js';
import {
  LearningProposal,
  ProcedureDecision,
  ProcedureStateName,
} from '../procedure/procedure-schema.js';
import {
  findProcedure,
  findProposal,
  initialStanding,
  learningProcedures,
  type Standing,
  storedBasis,
  type StoredProposal,
} from '../procedure/procedure-store.js';
import { rankOf } from '../procedure/rank-of.js';
import { insertRank } from '../procedure/selection-store.js';
import { ToolDevelopment, ToolDevelopmentEvent } from '../tool/development-schema.js';
import { ToolArtifact, ToolExecutor } from '../tool/schema.js';
import { findDevelopment, findExecutor } from '../tool/tool-store.js';

/** Mantissas of evidence have 26 bits. */
const MANTISSA_MAX = 2 ** 26 - 1;
/** Beyond every exponent that evidence of as many trials as there can be has. */
const EXPONENT_MAX = 2 ** 32;
/** Below every bound that the least confidence_delta leads to. */
const BOUND_MIN = -64;

const Trials = integer(0, QUALIFICATION_TRIALS_MAX);

const Capitals = v.pipe(
  v.array(
    closed({ mantissa: integer(0, MANTISSA_MAX), exponent: integer(-EXPONENT_MAX, EXPONENT_MAX) }),
  ),
  v.maxLength(SHARES.length),
);

/** The running figures of a procedure. */
const Figures = closed({
  qualification_count: Trials,
  mean_improvement: boundedNumber(-1, 1, 'inclusive'),
  mean_candidate_utility: boundedNumber(0, 1, 'inclusive'),
  budget_violations: integer(0, IMPORT_COUNT_MAX),
  lower_improvement_bound: v.nullable(boundedNumber(BOUND_MIN, 1, 'inclusive')),
  monitoring_count: integer(0, IMPORT_COUNT_MAX),
  failure_streak: integer(0, FAILURE_STREAK_MAX),
  betting: v.optional(
    closed({
      differences: v.pipe(
        v.array(v.strictTuple([integer(-UTILITY_UNITS, UTILITY_UNITS), Trials])),
        v.maxLength(2 * UTILITY_UNITS + 1),
      ),
      utilities: integer(0, UTILITY_UNITS * QUALIFICATION_TRIALS_MAX),
    }),
  ),
  degradation: v.optional(closed({ on_difference: Capitals, on_utility: Capitals })),
});

/** Longest text of who registered something: a credential id and a subject. */
const ACTOR_UNITS_MAX = 512;

const Definition = <S extends v.GenericSchema>(payload: S) =>
  closed({
    payload,
    payload_digest: DigestText,
    registered_by: v.pipe(v.string(), v.maxLength(ACTOR_UNITS_MAX)),
    recorded_at_millis: Millis,
  });

const isLearningId = ([id]: readonly (string | number)[]): boolean => v.is(learningText(), id);

function stateOf({ revision, receipt }: Experience | ToolDevelopment): Stated {
  return { revisions: [revision], times: [receipt.recorded_at_millis] };
}

function eventOf({ record, recorded_at_millis }: ExperienceEvent | ToolDevelopmentEvent): Stated {
  const { revisions = [], times = [] } = stateOf(record);
  return { revisions, times: [...times, recorded_at_millis] };
}

const policy: PlainLine = {
  name: 'policy',
  form: [],
  schema: Definition(PolicyDefinition),
  keyOf: () => [ANY],
  isKey: isLearningId,
};

const context: PlainLine = {
  name: 'context',
  form: [],
  schema: Definition(EvaluationContext),
  keyOf: () => [ANY],
  isKey: isLearningId,
};

const procedure: PlainLine<StoredProposal> = {
  name: 'procedure',
  form: [],
  schema: closed({
    request: LearningProposal,
    fingerprint: DigestText,
    policy_digest: DigestText,
    context_digest: DigestText,
    actor: v.pipe(v.string(), v.maxLength(ACTOR_UNITS_MAX)),
    created_at_millis: Millis,
  }),
  keyOf: ({ request }) => [request.id],
  refersTo: ({ request }) => [
    ['learningPolicies', request.policy_id],
    ['learningContexts', request.context_id],
  ],
  isDefined: (tx, { tenantId, value }) =>
    ifReadable(() => storedBasis(tx, tenantId, value)) !== undefined,
  derive: (tx, { namespace, key }) => {
    if (namespace !== undefined) begin(tx, namespace, String(key[0]));
  },
};

const procedureState: PlainLine<Standing> = {
  name: 'procedure_state',
  form: ['figures'],
  schema: v.pipe(
    closed({
      state: ProcedureStateName,
      figures: Figures,
      decisions: v.array(ProcedureDecision),
    }),
    v.check(({ state, figures }) => state !== 'Active' || figures.lower_improvement_bound !== null),
  ),
  keyOf: () => [ANY],
  isKey: isLearningId,
  isDefined: (tx, { namespace, key }) =>
    namespace === undefined || findProposal(tx, namespace, String(key[0])) !== undefined,
  mayReplace: isInitial,
  derive: (tx, { namespace, key, value }) => {
    if (namespace === undefined) return;
    const found = ifReadable(() => findProcedure(tx, namespace, String(key[0])));
    if (value.state !== 'Active' || found === undefined) return;
    insertRank(tx, { namespace, basis: basisDigest(found.basis) }, rankOf(found, value));
  },
};

const candidate: PlainLine<{ readonly id: string }> = {
  name: 'candidate',
  form: [],
  schema: closed({
    id: learningText(),
    wealth: integer(0, WEALTH_MAX),
    is_accepted: v.boolean(),
  }),
  keyOf: ({ id }) => [ANY, id],
  isDefined: (tx, { namespace, key }) =>
    namespace === undefined || findProposal(tx, namespace, String(key[1])) !== undefined,
};

const evaluation: PlainLine<StoredAdmission> = {
  name: 'evaluation',
  form: [],
  schema: closed({
    submission: EvaluationSubmission,
    fingerprint: DigestText,
    outcome: AdmissionOutcome,
    reason: AdmissionReason,
    state_after: ProcedureStateName,
    actor: closed(Actor.entries),
    recorded_at_millis: Millis,
  }),
  keyOf: ({ submission }) => [ANY, submission.case_id],
  derive: (tx, { tenantId, namespace, key, value: { outcome, submission } }) => {
    if (namespace === undefined || outcome !== 'accepted') return;
    const { case_id, evidence_ref } = submission;
    const of = Buffer.from(String(key[0]), 'base64url');
    const used = [namespace.digest, of, textDigest(evidence_ref)] as const;
    learningEvidence.put(tx, case_id, tenantId, ...used);
  },
};

const executor: PlainLine<ToolExecutor> = {
  name: 'executor',
  form: 'document',
  schema: ToolExecutor,
  isOfAnyTenant: true,
  keyOf: ({ profile }) => [profile.id],
  statedIn: ({ recorded_at_millis }) => ({ times: [recorded_at_millis] }),
};

const artifact: PlainLine<ToolArtifact> = {
  name: 'artifact',
  form: 'document',
  schema: ToolArtifact,
  keyOf: ({ proposal }) => [proposal.id],
  statedIn: ({ recorded_at_millis }) => ({ times: [recorded_at_millis] }),
  tenantIn: ({ tenant }) => tenant,
};

const development: PlainLine<ToolDevelopment> = {
  name: 'development',
  form: 'document',
  schema: ToolDevelopment,
  keyOf: ({ receipt }) => [receipt.request.id],
  statedIn: stateOf,
  tenantIn: ({ receipt }) => receipt.tenant,
  refersTo: ({ receipt }) => [['toolExecutors', receipt.request.executor_id]],
  isDefined: (tx, { tenantId, namespace, value }) => {
    const { request, executor_profile_digest: digest } = value.receipt;
    if (namespace === undefined) return true;
    return findExecutor(tx, tenantId, request.executor_id)?.profile_digest === digest;
  },
};

const developmentEvent: PlainLine<ToolDevelopmentEvent> = {
  name: 'development_event',
  form: 'document',
  schema: ToolDevelopmentEvent,
  keyOf: ({ record, command }) => [shownDigest(record.receipt.request.id), command.event_id],
  statedIn: eventOf,
  tenantIn: ({ record }) => record.receipt.tenant,
  isDefined: (tx, { namespace, value: { record } }) =>
    namespace === undefined ||
    findDevelopment(tx, namespace, record.receipt.request.id) !== undefined,
};

const attempt: PlainLine<Experience> = {
  name: 'attempt',
  form: 'document',
  schema: Experience,
  keyOf: ({ receipt }) => [receipt.request.id],
  statedIn: stateOf,
  tenantIn: ({ receipt }) => receipt.tenant,
  refersTo: ({ receipt }) => [['learningContexts', receipt.request.context_id]],
};

const attemptEvent: PlainLine<ExperienceEvent> = {
  name: 'attempt_event',
  form: 'document',
  schema: ExperienceEvent,
  keyOf: ({ record, command: { event_id: id } }) => [
    ...[shownDigest(record.receipt.request.id), utf8Bytes(id), id],
  ],
  statedIn: eventOf,
  tenantIn: ({ record }) => record.receipt.tenant,
  isDefined: (tx, { namespace, value: { record } }) =>
    namespace === undefined || findAttempt(tx, namespace, record.receipt.request.id) !== undefined,
};

/** Gives a procedure the state in which it begins, unless its line comes too. */
function begin(tx: WriteTx, { tenantId, digest }: Namespace, id: string): void {
  if (learningProcedures.get(tx, tenantId, digest, id) === undefined) {
    learningProcedures.put(tx, initialStanding, tenantId, digest, id);
  }
}

/** Returns whether the state of a procedure is the one in which it begins. */
function isInitial(tx: WriteTx, { key }: Entry): boolean {
  const stored = tx.get(key);
  return stored !== undefined && isSame(learningProcedures.open(key, stored), initialStanding);
}

const isSame = (one: Standing, other: Standing): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** The lines of learning. */
export const learningLines: readonly PlainLine[] = [
  ...[policy, context, procedure, procedureState, candidate, evaluation],
  ...[executor, artifact, development, developmentEvent, attempt, attemptEvent],
] as readonly PlainLine[];
