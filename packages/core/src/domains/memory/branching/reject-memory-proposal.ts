/** `rejectMemoryProposal`: ends a proposal with a reason. */
import { sweepMemory } from '../retention/sweep-port.js';
import { exampleId, exampleVersion } from '../../../contract/example-values.js';
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { uuid } from '../../../contract/schema/uuid.js';
import { CONTRACT_VERSION } from '../../../contract/version.js';
import { defineTenantOperation } from '../../../kernel/operation/define-operation.js';
import { inputFirstChecks } from '../../../kernel/operation/orders-of-checks.js';
import { isLive } from '../branch/live-branch.js';
import { putDecided } from '../branch/proposal-store.js';
import { showProposal } from '../branch/show-proposal.js';
import { authorOf } from '../documents/author-schema.js';
import { appendProposalChange } from '../journal/change-store.js';
import { namesBranch } from './branch-operation.js';
import { ProposalResponse, RejectionRequest } from './proposal-documents.js';
import { requireReviewer } from './review.js';
import { shownProposal } from './show-branch.js';

/** A repeat is answered with the first rejection. What the proposal changed is removed. */
export const rejectMemoryProposal = defineTenantOperation({
  name: 'rejectMemoryProposal',
  summary: 'Reject a proposal of memory, with a reason.',
  example: {
    id: exampleId,
    document: { ...exampleVersion, reason: 'It contradicts the handbook.' },
  },
  command: {
    name: 'memory reject',
    examples: ["agentkeep memory reject <id> --reason 'It contradicts the handbook.'"],
  },
  tag: 'Memory',
  input: { id: uuid(), document: RejectionRequest },
  output: ProposalResponse,
  requires: { capability: 'memory_review' },
  checks: inputFirstChecks,
  errors: [...namesBranch.errors, 'branch_closed'],
  whenFull: 'served',
  handler: async (request) => {
    const { runtime, input, nowMs } = request;
    const proposal = await runtime.store.transact((tx) => {
      const credential = request.confirm(tx);
      const found = shownProposal(tx, credential, input.id);
      if (found.state === 'rejected') return found;
      if (found.state === 'merged') throw new AgentkeepError('branch_closed');
      if (!isLive(found, nowMs)) throw new AgentkeepError('branch_not_found');
      requireReviewer(tx, found, { credential, runtime });
      const decided = putDecided(tx, credential.tenantId, found, {
        state: 'rejected',
        decidedAtMillis: nowMs,
        reviewer: authorOf(credential),
        reason: input.document.reason,
      });
      appendProposalChange(tx, credential.tenantId, decided);
      return decided;
    });
    sweepMemory.of(runtime)();
    request.nameChanges(() => [{ proposal: proposal.id, change: 'rejected' }]);
    return { contract_version: CONTRACT_VERSION, proposal: showProposal(proposal, nowMs) };
  },
});
