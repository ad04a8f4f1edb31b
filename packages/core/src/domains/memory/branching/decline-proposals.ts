/** The operations that reject or withdraw proposals. */
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { exampleId, exampleVersion } from '../../../contract/example-values.js';
import { uuid } from '../../../contract/schema/uuid.js';
import { CONTRACT_VERSION } from '../../../contract/version.js';
import { defineTenantOperation } from '../../../kernel/operation/define-operation.js';
import { inputFirstChecks } from '../../../kernel/operation/orders-of-checks.js';
import type { WriteTx } from '../../../storage/store/store.js';
import { isLive } from '../branch/live-branch.js';
import {
  endWaiting,
  findProposal,
  isKept,
  isTakenBy,
  type KeyedProposal,
  orderedAt,
  type ProposalPlace,
  proposalsAfter,
  putDecided,
} from '../branch/proposal-store.js';
import { showProposal } from '../branch/show-proposal.js';
import { authorOf } from '../documents/author-schema.js';
import { appendProposalChange } from '../journal/change-store.js';
import { sweepMemory } from '../retention/sweep-store.js';
import { auditedProposal } from '../writing/change-write.js';
import { namesBranch, shownProposal } from './manage-branches.js';
import {
  ProposalResponse,
  ProposalsWithdrawal,
  RejectionRequest,
  WithdrawnResponse,
} from './proposal-documents.js';
import { requireReviewer } from './review.js';

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
    request.nameChanges(() => [auditedProposal(proposal.id, 'rejected')]);
    return { contract_version: CONTRACT_VERSION, proposal: showProposal(proposal, nowMs) };
  },
});

/** Proposals that one transaction looks at. */
const LOOKED_AT_ONCE = 64;

/** A few short commits. What is proposed meanwhile stays, and another call withdraws it too. */
export const withdrawMemoryProposals = defineTenantOperation({
  name: 'withdrawMemoryProposals',
  summary: 'Withdraw all proposals of memory of one author that wait.',
  example: { document: { ...exampleVersion, subject_id: 'helper' } },
  command: {
    name: 'memory withdraw-proposals',
    examples: ['agentkeep memory withdraw-proposals --subject-id helper'],
  },
  tag: 'Memory',
  input: { document: ProposalsWithdrawal },
  output: WithdrawnResponse,
  requires: { capability: 'credential_admin' },
  checks: inputFirstChecks,
  isHeavy: true,
  whenFull: 'served',
  handler: async (request) => {
    const { runtime, credential, input, nowMs } = request;
    const { tenantId } = credential;
    const { subject_id: subjectId } = input.document;
    const withdrawn: string[] = [];
    for (let after: ProposalPlace | undefined, isLast = false; !isLast;) {
      const from = after;
      const looked = await runtime.store.transact((tx) => {
        request.confirm(tx);
        return withdrawSome(tx, { tenantId, subjectId, nowMs }, from);
      });
      withdrawn.push(...looked.withdrawn);
      after = looked.last && { atMillis: orderedAt(looked.last), id: looked.last.id };
      isLast = after === undefined;
      await request.turn();
    }
    if (withdrawn.length > 0) sweepMemory.of(runtime)();
    request.nameChanges(() => withdrawn.map((id) => auditedProposal(id, 'withdrawn')));
    return { contract_version: CONTRACT_VERSION, withdrawn: withdrawn.length };
  },
});

interface Withdrawal {
  readonly tenantId: string;
  readonly subjectId: string;
  readonly nowMs: number;
}

/** Withdraws those among some proposals; returns their ids, and the last one if more may follow. */
function withdrawSome(
  tx: WriteTx,
  { tenantId, subjectId, nowMs }: Withdrawal,
  after: ProposalPlace | undefined,
): { readonly withdrawn: readonly string[]; readonly last: KeyedProposal | undefined } {
  const part = { after, limit: LOOKED_AT_ONCE };
  const looked = proposalsAfter(tx, tenantId, 'proposed', part).flatMap(
    (id) => findProposal(tx, tenantId, id) ?? [],
  );
  const found = looked.filter((each) => isKept(each, nowMs) && isTakenBy(each, subjectId));
  for (const each of found) endWaiting(tx, tenantId, each);
  const last = looked.length < LOOKED_AT_ONCE ? undefined : looked.at(-1);
  return { withdrawn: found.map(({ id }) => id), last };
}
