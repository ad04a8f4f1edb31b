/** `proposeProcedure`: stores a candidate procedure for a policy and a context. */
import { actorText } from '../../access/actor.js';
import { namespaceOf } from '../../access/namespace.js';
import { ensureNamespace } from '../../access/namespace-store.js';
import { originalWith } from '../../runtime/idempotency/original-of.js';
import { defineTenantOperation } from '../../runtime/operation/define-operation.js';
import { CONTRACT_VERSION } from '../../contract/version.js';
import { basisOf } from './evaluation-basis.js';
import { LearningProposalRequest, ProposalResponse } from './procedure-schema.js';
import {
  findProposal,
  insertProposal,
  proposalFingerprint,
  storedBasis,
} from './procedure-store.js';
import { showReceipt } from './show-procedure.js';

/** Answers a replay by any subject before any other check. */
export const proposeProcedure = defineTenantOperation({
  name: 'proposeProcedure',
  summary: 'Propose a procedure for a policy and a context.',
  tag: 'Learning',
  input: { document: LearningProposalRequest },
  output: ProposalResponse,
  requires: { capability: 'procedure_propose', scope: ({ document }) => document.scope },
  checks: ['document', 'version', 'rules scope', 'authority', 'rules proposal.id', 'rules'],
  deferred: 'proposal',
  errors: ['record_not_found', 'idempotency_conflict'],
  handler: async (request) => {
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
      return { proposal: made, basis };
    });

    return { contract_version: CONTRACT_VERSION, receipt: showReceipt(namespace, procedure) };
  },
});
