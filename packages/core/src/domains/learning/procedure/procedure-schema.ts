/** Documents of procedures: proposals, states and selection (docs/contract/learning.md). */
import * as v from 'valibot';
import { Scope } from '../../../kernel/access/scope.js';
import {
  INSTRUCTIONS_BYTES_MAX,
  REFERENCE_BYTES_MAX,
  SOURCE_REFS_MAX,
} from '../../../contract/limits.js';
import { closed } from '../../../contract/schema/document.js';
import { named } from '../../../contract/schema/json-schema.js';
import {
  answeredVersion,
  boundedInteger,
  contractVersion,
  finiteNumber,
  integer,
} from '../../../contract/schema/number.js';
import { hexDigest, textId, textOf } from '../../../contract/schema/text.js';
import { procedureStates } from './procedure-states.js';
import { learningText, PolicyParameters } from '../policy/schema.js';

const instructions = () => textOf(INSTRUCTIONS_BYTES_MAX);
const sourceRefs = () =>
  v.pipe(v.array(textOf(REFERENCE_BYTES_MAX)), v.minLength(1), v.maxLength(SOURCE_REFS_MAX));

/** The proposal of a procedure, for one policy and one context. */
export const LearningProposal = v.pipe(
  closed({
    id: learningText(),
    policy_id: learningText(),
    context_id: learningText(),
    instructions: instructions(),
    source_refs: sourceRefs(),
  }),
  named('LearningProposal'),
);
export type LearningProposal = v.InferOutput<typeof LearningProposal>;

/** The state of a procedure. */
export const ProcedureStateName = v.pipe(v.picklist(procedureStates), named('ProcedureState'));

/** One change of state. */
export const ProcedureDecision = v.pipe(
  closed({
    from: ProcedureStateName,
    to: ProcedureStateName,
    reason: v.string(),
    triggering_case: learningText(),
    recorded_at_millis: integer(),
  }),
  named('ProcedureDecision'),
);
export type ProcedureDecision = v.InferOutput<typeof ProcedureDecision>;

/** The evidence that an active procedure has become worse. */
export const DegradationEvidence = closed({
  evidence: finiteNumber(),
  deciding_evidence: finiteNumber(),
  losses_to_suspend: v.nullable(integer()),
});

/** The evidence of bets as it stands. */
export const BettingEvidence = v.pipe(
  closed({
    wealth: finiteNumber(),
    opposing_wealth: finiteNumber(),
    deciding_wealth: finiteNumber(),
    lower_bound: finiteNumber(),
    upper_bound: finiteNumber(),
    trials_left: integer(),
    wins_to_accept: v.nullable(integer()),
    losses_to_reject: v.nullable(integer()),
    family: v.optional(
      closed({ max_candidates: integer(), candidates: integer(), accepted: integer() }),
    ),
    degradation: v.optional(DegradationEvidence),
  }),
  named('BettingEvidence'),
);
export type BettingEvidence = v.InferOutput<typeof BettingEvidence>;

/** The members that say where a procedure stands. */
export const ProcedureStanding = closed({
  state: ProcedureStateName,
  qualification_count: integer(),
  mean_improvement: finiteNumber(),
  mean_candidate_utility: finiteNumber(),
  budget_violations: integer(),
  lower_improvement_bound: v.nullable(finiteNumber()),
  monitoring_count: integer(),
  failure_streak: integer(),
  betting: v.optional(BettingEvidence),
  decisions: v.array(ProcedureDecision),
  created_at_millis: integer(),
});

/** A procedure with its figures. */
export const ProcedureRecord = v.pipe(
  closed({
    scope: closed({ tenant: textId(), agent: v.string(), environment: v.string() }),
    proposal: closed({
      id: learningText(),
      task: learningText(),
      baseline_revision: learningText(),
      instructions: instructions(),
      source_refs: sourceRefs(),
      policy: PolicyParameters,
    }),
    ...ProcedureStanding.entries,
  }),
  named('ProcedureRecord'),
);
export type ProcedureRecord = v.InferOutput<typeof ProcedureRecord>;

/** The receipt of a proposal. It never changes. */
export const ProposalReceipt = v.pipe(
  closed({
    schema_version: v.literal(1),
    tenant: textId(),
    namespace: v.string(),
    request: LearningProposal,
    policy_digest: hexDigest(),
    context_digest: hexDigest(),
    actor: v.string(),
    record: ProcedureRecord,
  }),
  named('ProposalReceipt'),
);
export type ProposalReceipt = v.InferOutput<typeof ProposalReceipt>;

/** A procedure with its proposal and its current state. */
export const Procedure = v.pipe(
  closed({ receipt: ProposalReceipt, record: ProcedureRecord }),
  named('Procedure'),
);
export type Procedure = v.InferOutput<typeof Procedure>;

/** Body of a proposal. */
export const LearningProposalRequest = v.pipe(
  closed({ contract_version: contractVersion(), scope: Scope, proposal: LearningProposal }),
  named('LearningProposalRequest'),
);

/** Answer to a proposal. */
export const ProposalResponse = v.pipe(
  closed({ contract_version: answeredVersion, receipt: ProposalReceipt }),
  named('ProposalResponse'),
);

/** Body of the read of a procedure. */
export const LearningReadRequest = v.pipe(
  closed({ contract_version: contractVersion(), scope: Scope, procedure_id: learningText() }),
  named('LearningReadRequest'),
);

/** Answer with a procedure. */
export const ProcedureResponse = v.pipe(
  closed({ contract_version: answeredVersion, procedure: Procedure }),
  named('ProcedureResponse'),
);

/** Body of a selection. */
export const LearningSelectRequest = v.pipe(
  closed({
    contract_version: contractVersion(),
    scope: Scope,
    policy_id: learningText(),
    context_id: learningText(),
    max_instruction_bytes: boundedInteger(0, INSTRUCTIONS_BYTES_MAX),
  }),
  named('LearningSelectRequest'),
);

/** The selected procedure: the best qualified one, or the baseline. */
export const LearningSelection = v.pipe(
  v.variant('type', [
    closed({ type: v.literal('procedure'), procedure: Procedure }),
    closed({
      type: v.literal('baseline'),
      baseline_revision: learningText(),
      reason: v.literal('no_qualified_compatible_procedure'),
    }),
  ]),
  named('LearningSelection'),
);
export type LearningSelection = v.InferOutput<typeof LearningSelection>;

/** Answer to a selection. */
export const LearningSelectionResponse = v.pipe(
  closed({
    contract_version: answeredVersion,
    policy_id: learningText(),
    context_id: learningText(),
    selection: LearningSelection,
  }),
  named('LearningSelectionResponse'),
);
