/** `proposeProcedure`: stores a candidate procedure for a policy and a context. */
import { inExampleScope } from '../../../contract/example-values.js';
import { actorText } from '../../../kernel/access/actor.js';
import { ensureNamespace, type Namespace, namespaceOf } from '../../../kernel/access/namespace.js';
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { originalWith } from '../../../kernel/idempotency/original-of.js';
import { defineTenantOperation } from '../../../kernel/operation/define-operation.js';
import { scopedChecks } from '../../../kernel/operation/orders-of-checks.js';
import type { WriteTx } from '../../../storage/store/store.js';
import { CONTRACT_VERSION } from '../../../contract/version.js';
import { admissibleWealth } from '../evidence/betting-policy.js';
import { basisDigest, basisOf } from '../policy/evaluation-basis.js';
import { putMember } from './family-store.js';
import { noFigures } from '../evidence/hoeffding-policy.js';
import { LearningProposalRequest, ProposalResponse } from './procedure-schema.js';
import {
  familyOf,
  findProposal,
  insertProposal,
  proposalFingerprint,
  storedBasis,
  type StoredProcedure,
} from './procedure-store.js';
import { showReceipt } from './show-procedure.js';

/** Answers a replay by any subject before any other check. */
export const proposeProcedure = defineTenantOperation({
  name: 'proposeProcedure',
  summary: 'Propose a procedure for a policy and a context.',
  example: {
    document: {
      ...inExampleScope,
      proposal: {
        id: 'read-twice',
        policy_id: 'summaries-v1',
        context_id: 'summaries-on-m1',
        instructions: 'Read the ticket twice, then write two sentences.',
        source_refs: ['trace:9'],
      },
    },
  },
  tag: 'Learning',
  input: { document: LearningProposalRequest },
  output: ProposalResponse,
  requires: { capability: 'procedure_propose', scope: ({ document }) => document.scope },
  checks: scopedChecks,
  deferred: 'proposal',
  errors: ['record_not_found', 'idempotency_conflict'],
  handler: async (request) => {
    // An invalid id might not fit into a key.
    request.checkDeferred('proposal.id');
    const { runtime, credential, input, nowMs } = request;
    const { scope, proposal } = input.document;
    const { tenantId } = credential;
    const namespace = namespaceOf(credential, scope);
    const fingerprint = proposalFingerprint(proposal);
    const ids = { policyId: proposal.policy_id, contextId: proposal.context_id };
    const actor = actorText(credential);

    const procedure = await runtime.store.transact((tx) => {
      request.confirm(tx);
      const original = originalWith(findProposal(tx, namespace, proposal.id), fingerprint);
      if (original !== undefined) {
        return { proposal: original, basis: storedBasis(tx, tenantId, original) };
      }
      request.checkDeferred('proposal.policy_id');
      request.checkDeferred('proposal.context_id');
      const basis = basisOf(tx, tenantId, ids, 'proposal.');
      request.checkDeferred();
      const made = {
        request: proposal,
        fingerprint,
        policyDigest: basis.policy.payloadDigest,
        contextDigest: basis.context.payloadDigest,
        actor,
        createdAtMillis: nowMs,
      };
      ensureNamespace(tx, namespace);
      insertProposal(tx, namespace, made);
      joinFamily(tx, namespace, { proposal: made, basis });
      return { proposal: made, basis };
    });

    return { contract_version: CONTRACT_VERSION, receipt: showReceipt(namespace, procedure) };
  },
});

/**
 * Counts a new candidate among those that its policy admits together.
 *
 * @throws {AgentkeepError} `invalid_request` when they are as many as the policy allows.
 */
function joinFamily(
  tx: WriteTx,
  namespace: Namespace,
  { proposal, basis }: Pick<StoredProcedure, 'proposal' | 'basis'>,
): void {
  const { parameters } = basis.policy.payload;
  const { max_candidates: most } = parameters;
  if (most === undefined) return;
  if (familyOf(tx, namespace, basis).length >= most) {
    const expected = `a policy with fewer than its ${most} candidates in this scope and context`;
    const advice = 'Propose for another policy or context; candidates of this one stay counted.';
    throw new AgentkeepError('invalid_request', {
      members: [{ path: 'proposal.policy_id', expected }],
      advice,
    });
  }
  const { id } = proposal.request;
  const wealth = admissibleWealth(parameters, noFigures);
  putMember(tx, { namespace, basis: basisDigest(basis) }, { id, wealth, isAccepted: false });
}
