/** The operations that propose commands or a branch for review. */
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { exampleId, exampleVersion } from '../../../contract/example-values.js';
import { uuid } from '../../../contract/schema/uuid.js';
import { CONTRACT_VERSION } from '../../../contract/version.js';
import { refuseErased, refuseErasedSubject } from '../../../kernel/erased/erasure-mark-store.js';
import { defineTenantOperation } from '../../../kernel/operation/define-operation.js';
import { inputFirstChecks, scopedChecks } from '../../../kernel/operation/orders-of-checks.js';
import { type KeyedBranch, noteEnded, removeBranch } from '../branch/branch-store.js';
import { findOpen } from '../branch/live-branch.js';
import {
  findProposal,
  isKept,
  type KeyedProposal,
  placeTakerOf,
  putWaiting,
} from '../branch/proposal-store.js';
import { showProposal } from '../branch/show-proposal.js';
import { ReceiptResponse } from '../documents/schema.js';
import { appendProposalChange } from '../journal/change-store.js';
import { auditedProposal } from '../writing/change-write.js';
import { endOverdue, requireRoom } from '../writing/propose-changes.js';
import { proposeCommand } from '../writing/execute-memory-command.js';
import { isCovered, namesBranch, shownBranch } from './manage-branches.js';
import { NewProposal, ProposalResponse, SubmitRequest } from './proposal-documents.js';
import { requireAuthor } from './review.js';

/** The branch, the change in it and the proposal are one commit. */
export const proposeMemory = defineTenantOperation({
  name: 'proposeMemory',
  summary: 'Propose one command, which waits until it is merged or rejected.',
  example: {
    document: {
      ...exampleVersion,
      idempotency_key: 'proposal-7801',
      scope: { project_id: 'support', agent_id: 'helper', visibility: 'shared' },
      operation: {
        type: 'create',
        record: { content: { primary: 'Refund orders below 20 EUR without asking.' } },
      },
      purpose: 'Ann said so.',
    },
  },
  command: {
    name: 'memory propose',
    examples: [
      "agentkeep memory propose --idempotency-key ticket-7801 --purpose 'Ann said so.' " +
        '--project-id demo --agent-id assistant --visibility shared --operation ' +
        `'{"type":"remove","name":"style"}'`,
    ],
  },
  tag: 'Memory',
  input: { document: NewProposal },
  output: ReceiptResponse,
  requires: {
    capability: ['memory_propose', 'memory_write'],
    scope: ({ document }) => document.scope,
  },
  checks: scopedChecks,
  deferred: 'operation',
  errors: [
    ...(['record_not_found', 'revision_conflict', 'current_revision'] as const),
    ...(['idempotency_conflict', 'command_erased', 'branch_limit', 'branch_closed'] as const),
  ],
  handler: async (request) => {
    const receipt = await proposeCommand(request, request.input.document);
    return { contract_version: CONTRACT_VERSION, receipt };
  },
});

/** The row of the branch becomes that of the proposal. A repeat is answered with it. */
export const proposeMemoryBranch = defineTenantOperation({
  name: 'proposeMemoryBranch',
  summary: 'Submit a branch of memory as a proposal, which waits for review.',
  example: { id: exampleId, document: exampleVersion },
  command: { name: 'memory submit' },
  tag: 'Memory',
  input: { id: uuid(), document: SubmitRequest },
  output: ProposalResponse,
  requires: { capability: ['memory_propose', 'memory_write'] },
  checks: inputFirstChecks,
  errors: [...namesBranch.errors, 'branch_limit', 'erasure_in_progress'],
  handler: async (request) => {
    const { runtime, input, nowMs } = request;
    const { purpose } = input.document;
    const takenBy = placeTakerOf(request.credential);
    const asked = await runtime.store.read((tx) =>
      findOpen(tx, request.credential.tenantId, input.id),
    );
    if (asked !== undefined) await endOverdue(request, { scopes: asked.scopes, takenBy });
    const proposal = await runtime.store.transact((tx) => {
      const credential = request.confirm(tx);
      const { tenantId } = credential;
      const known = findProposal(tx, tenantId, input.id);
      const isKnown = known !== undefined && isKept(known, nowMs) && isCovered(known, credential);
      const branch = isKnown ? known : shownBranch(tx, credential, input.id, nowMs);
      requireAuthor(branch, credential);
      if (isKnown) return known;
      requireShared(branch);
      refuseErased(tx, tenantId, branch.scopes);
      refuseErasedSubject(tx, tenantId, credential.spec.subject_id);
      const waiting = waitingOf(branch, { takenBy, purpose }, nowMs);
      requireRoom(tx, tenantId, waiting);
      removeBranch(tx, tenantId, branch.id);
      noteEnded(tx, tenantId, branch);
      putWaiting(tx, tenantId, waiting);
      appendProposalChange(tx, tenantId, waiting);
      return waiting;
    });
    request.nameChanges(() => [auditedProposal(proposal.id, 'proposed')]);
    return { contract_version: CONTRACT_VERSION, proposal: showProposal(proposal, nowMs) };
  },
});

/** A reviewer would see what belongs to another subject. */
function requireShared({ scopes }: KeyedBranch): void {
  if (scopes.every(([, , , visibility]) => visibility === 'shared')) return;
  const members = [{ path: 'id', expected: 'a branch over shared scopes' }];
  throw new AgentkeepError('invalid_request', { members });
}

function waitingOf(
  branch: KeyedBranch,
  { takenBy, purpose }: Pick<KeyedProposal, 'takenBy' | 'purpose'>,
  nowMs: number,
): KeyedProposal {
  return {
    ...branch,
    purpose: purpose ?? branch.purpose,
    proposedAtMillis: nowMs,
    state: 'proposed',
    takenBy,
    decidedAtMillis: null,
    reviewer: null,
    reason: null,
    merged: [],
    mergedCount: 0,
  };
}
