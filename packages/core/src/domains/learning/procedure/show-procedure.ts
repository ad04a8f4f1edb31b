/** Converts stored procedures to their documents. */
import { shownAs } from '../../../contract/schema/member-names.js';
import { type Namespace, shownNamespace } from '../../../kernel/access/namespace.js';
import { documentDigest } from '../../../contract/schema/document-digest.js';
import { bettingStanding } from '../evidence/betting-policy.js';
import { degradationStanding, watchesDegradation } from '../evidence/degradation-policy.js';
import { basisDigest, type EvaluationBasis } from '../policy/evaluation-basis.js';
import type { FamilyMember } from '../evidence/family-policy.js';
import {
  BettingEvidence,
  DegradationEvidence,
  type Procedure,
  type ProcedureRecord,
  ProcedureStanding,
  type ProposalReceipt,
} from './procedure-schema.js';
import { initialStanding, type Standing, type StoredProcedure } from './procedure-store.js';
import type { PolicyParameters } from '../policy/schema.js';

/** Returns a procedure with its proposal and its state. */
export function showProcedure(namespace: Namespace, procedure: StoredProcedure): Procedure {
  return {
    receipt: showReceipt(namespace, procedure),
    record: recordOf(namespace, procedure, procedure.standing, procedure.others),
  };
}

/** Returns the receipt of a proposal: the procedure in its first state. */
export function showReceipt(
  namespace: Namespace,
  procedure: Pick<StoredProcedure, 'proposal' | 'basis'>,
): ProposalReceipt {
  const { request, policyDigest, contextDigest, actor } = procedure.proposal;
  return {
    schema_version: 1,
    tenant: namespace.tenantId,
    namespace: shownNamespace(namespace),
    request: structuredClone(request),
    policy_digest: policyDigest,
    context_digest: contextDigest,
    actor,
    record: recordOf(namespace, procedure, initialStanding),
  };
}

function recordOf(
  namespace: Namespace,
  { proposal, basis }: Pick<StoredProcedure, 'proposal' | 'basis'>,
  standing: Standing,
  others?: readonly FamilyMember[],
): ProcedureRecord {
  const { id, instructions, source_refs } = proposal.request;
  const { task, baseline_revision } = basis.context.payload;
  return {
    scope: {
      tenant: namespace.tenantId,
      agent: `scope-sha256:${documentDigest('agentkeep learning-scope 1', shownNamespace(namespace))}`,
      environment: `contract-sha256:${basisDigest(basis)}`,
    },
    proposal: {
      id,
      task,
      baseline_revision,
      instructions,
      source_refs: [...source_refs],
      policy: { ...basis.policy.payload.parameters },
    },
    ...shownStanding({ proposal, basis, standing, others }),
  };
}

/** Returns where a procedure stands. Without its family in the first state of a receipt. */
export function shownStanding({
  proposal,
  basis,
  standing: { state, figures, decisions },
  others,
}: Omit<StoredProcedure, 'others'> & { readonly others: StoredProcedure['others'] | undefined }) {
  return shownAs(ProcedureStanding, figures, {
    state,
    betting: shownBets(basis, { state, figures }, others),
    decisions: [...decisions],
    created_at_millis: proposal.createdAtMillis,
  });
}

/**
 * Returns the evidence of a policy that bets; nothing of another one. A receipt shows no family,
 * because it never changes.
 */
function shownBets(
  { policy }: EvaluationBasis,
  { state, figures }: Pick<Standing, 'state' | 'figures'>,
  others?: readonly FamilyMember[],
): BettingEvidence | undefined {
  const { algorithm, parameters } = policy.payload;
  if (algorithm !== 'betting_e_process_v1') return undefined;
  const isOpen = state === 'Candidate';
  const it = bettingStanding(parameters, figures, { isOpen, others: others ?? [] });
  return shownAs(BettingEvidence, it, {
    ...shownFamily(parameters, state, others),
    ...shownDegradation(parameters, figures, state === 'Active'),
  });
}

function shownFamily(
  { max_candidates }: PolicyParameters,
  state: Standing['state'],
  others: readonly FamilyMember[] | undefined,
): Pick<BettingEvidence, 'family'> {
  if (max_candidates === undefined || others === undefined) return {};
  const isAccepted = state === 'Active' || state === 'Suspended';
  const accepted = others.filter((each) => each.isAccepted).length + (isAccepted ? 1 : 0);
  return { family: { max_candidates, candidates: others.length + 1, accepted } };
}

function shownDegradation(
  parameters: PolicyParameters,
  figures: Standing['figures'],
  isOpen: boolean,
): Pick<BettingEvidence, 'degradation'> {
  if (!watchesDegradation(parameters)) return {};
  const it = degradationStanding(parameters, figures, isOpen);
  return { degradation: shownAs(DegradationEvidence, it, {}) };
}
