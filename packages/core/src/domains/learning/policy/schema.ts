/** Documents of learning policies and evaluation contexts (docs/contract/learning.md). */
import * as v from 'valibot';
import {
  BETTING_DELTA_MIN,
  BETTING_IMPROVEMENT_MAX,
  CANDIDATES_MAX,
  CONFIDENCE_DELTA_MAX,
  CONTEXT_TOOLS_MAX,
  FAILURE_STREAK_MAX,
  FALSE_SUSPENSION_TRIALS_MAX,
  FALSE_SUSPENSION_TRIALS_MIN,
  ID_BYTES_MAX,
  QUALIFICATION_TRIALS_MAX,
  QUALIFICATION_TRIALS_MIN,
  TOGETHER_DELTA_MIN,
} from '../../../contract/limits.js';
import { closed } from '../../../contract/schema/document.js';
import { named } from '../../../contract/schema/json-schema.js';
import {
  answeredVersion,
  boundedInteger,
  boundedNumber,
  contractVersion,
  integer,
} from '../../../contract/schema/number.js';
import { hexDigest, textId, textMap, textOf } from '../../../contract/schema/text.js';

/** An id or a name of learning. */
export const learningText = () => textOf(ID_BYTES_MAX);

const share = () => boundedNumber(0, 1, 'inclusive');

/** The requirements on a procedure, for qualification and afterwards. */
export const PolicyParameters = v.pipe(
  closed({
    qualification_trials: boundedInteger(QUALIFICATION_TRIALS_MIN, QUALIFICATION_TRIALS_MAX),
    confidence_delta: boundedNumber(0, CONFIDENCE_DELTA_MAX, 'exclusive'),
    min_improvement: share(),
    min_candidate_utility: share(),
    max_cost_units: integer(),
    max_latency_ms: integer(),
    max_failure_streak: boundedInteger(1, FAILURE_STREAK_MAX),
    evaluator_id: learningText(),
    evaluation_contract: learningText(),
    max_candidates: v.optional(boundedInteger(2, CANDIDATES_MAX)),
    false_suspension_trials: v.optional(
      boundedInteger(FALSE_SUSPENSION_TRIALS_MIN, FALSE_SUSPENSION_TRIALS_MAX),
    ),
  }),
  named('PolicyParameters'),
);
export type PolicyParameters = v.InferOutput<typeof PolicyParameters>;

/** The algorithms that decide about a candidate. */
export const LearningAlgorithm = v.pipe(
  v.picklist(['fixed_budget_hoeffding_v1', 'betting_e_process_v1']),
  named('LearningAlgorithm'),
);

/** A learning policy: how procedures are judged. */
export const PolicyDefinition = v.pipe(
  closed({ algorithm: LearningAlgorithm, parameters: PolicyParameters }),
  v.check(
    (it) => it.algorithm !== 'betting_e_process_v1' || canBet(it.parameters),
    `for betting_e_process_v1 a confidence_delta of at least ${BETTING_DELTA_MIN}, with ` +
      `max_candidates at least ${TOGETHER_DELTA_MIN}, and a min_improvement of at most ` +
      `${BETTING_IMPROVEMENT_MAX}`,
  ),
  v.check(
    (it) => it.algorithm === 'betting_e_process_v1' || !hasBettingMembers(it.parameters),
    'max_candidates and false_suspension_trials only for betting_e_process_v1',
  ),
  named('PolicyDefinition'),
);
export type PolicyDefinition = v.InferOutput<typeof PolicyDefinition>;

function canBet(parameters: PolicyParameters): boolean {
  const { confidence_delta, min_improvement, max_candidates } = parameters;
  const deltaMin = max_candidates === undefined ? BETTING_DELTA_MIN : TOGETHER_DELTA_MIN;
  return confidence_delta >= deltaMin && min_improvement <= BETTING_IMPROVEMENT_MAX;
}

function hasBettingMembers(parameters: PolicyParameters): boolean {
  return (
    parameters.max_candidates !== undefined || parameters.false_suspension_trials !== undefined
  );
}

/** The exact circumstances in which procedures are evaluated and used. */
export const EvaluationContext = v.pipe(
  closed({
    task: learningText(),
    baseline_revision: learningText(),
    model_provider: learningText(),
    model_revision: learningText(),
    environment_revision: learningText(),
    evaluation_contract: learningText(),
    dataset_revision: learningText(),
    harness_revision: learningText(),
    permissions_revision: learningText(),
    tools: textMap({ entriesMax: CONTEXT_TOOLS_MAX, bytesMax: ID_BYTES_MAX }),
  }),
  named('EvaluationContext'),
);
export type EvaluationContext = v.InferOutput<typeof EvaluationContext>;

/** Body of the registration of a policy. */
export const LearningPolicyRequest = v.pipe(
  closed({
    contract_version: contractVersion(),
    id: learningText(),
    definition: PolicyDefinition,
  }),
  named('LearningPolicyRequest'),
);

/** Body of the registration of a context. */
export const LearningContextRequest = v.pipe(
  closed({
    contract_version: contractVersion(),
    id: learningText(),
    context: EvaluationContext,
  }),
  named('LearningContextRequest'),
);

/** The members of a policy or context as it was registered, but what it is. */
export const EntryMembers = closed({
  schema_version: v.literal(1),
  tenant: textId(),
  id: learningText(),
  payload_digest: hexDigest(),
  registered_by: v.string(),
  recorded_at_millis: integer(),
});

/** A policy as it was registered. */
export const PolicyEntry = v.pipe(
  closed({ ...EntryMembers.entries, payload: PolicyDefinition }),
  named('PolicyEntry'),
);
export type PolicyEntry = v.InferOutput<typeof PolicyEntry>;

/** A context as it was registered. */
export const ContextEntry = v.pipe(
  closed({ ...EntryMembers.entries, payload: EvaluationContext }),
  named('ContextEntry'),
);
export type ContextEntry = v.InferOutput<typeof ContextEntry>;

/** Answer with a policy. */
export const PolicyEntryResponse = v.pipe(
  closed({ contract_version: answeredVersion, entry: PolicyEntry }),
  named('PolicyEntryResponse'),
);

/** Answer with a context. */
export const ContextEntryResponse = v.pipe(
  closed({ contract_version: answeredVersion, entry: ContextEntry }),
  named('ContextEntryResponse'),
);
