/** Receipts of commands and batches as answers show them. */
import { CONTRACT_VERSION } from '../../../contract/version.js';
import type { KeyedProposal } from '../branch/proposal-store.js';
import { showProposal } from '../branch/show-proposal.js';
import type { BatchReceipt, Receipt } from '../documents/schema.js';
import type { StoredBatchReceipt, StoredReceipt } from '../record/receipt-store.js';

/** The key of a receipt, and the proposal that its command became, at a time. */
export interface ReceiptFacts {
  readonly subjectId: string;
  readonly idempotencyKey: string;
  readonly proposal: KeyedProposal | undefined;
  readonly nowMs: number;
}

/** Shows the receipt of a command. */
export function showReceipt(
  facts: ReceiptFacts,
  {
    recordId,
    revision,
    action,
    committedAtMillis,
    credentialId,
  }: Omit<StoredReceipt, 'fingerprint'>,
): Receipt {
  return {
    contract_version: CONTRACT_VERSION,
    idempotency_key: facts.idempotencyKey,
    record_id: recordId,
    revision,
    action: shownAction(action, facts),
    committed_at_millis: committedAtMillis,
    author: { credential_id: credentialId, subject_id: facts.subjectId },
    ...shownProposal(facts),
  };
}

/** Shows the receipt of a batch. */
export function showBatchReceipt(
  facts: ReceiptFacts,
  { outcomes, committedAtMillis, credentialId }: Omit<StoredBatchReceipt, 'fingerprint'>,
): BatchReceipt {
  return {
    contract_version: CONTRACT_VERSION,
    idempotency_key: facts.idempotencyKey,
    outcomes: outcomes.map(({ recordId, revision, action }) => ({
      record_id: recordId,
      revision,
      action: shownAction(action, facts),
    })),
    committed_at_millis: committedAtMillis,
    author: { credential_id: credentialId, subject_id: facts.subjectId },
    ...shownProposal(facts),
  };
}

/** Nothing is taken away before the merge. */
function shownAction(
  action: StoredReceipt['action'],
  { proposal }: ReceiptFacts,
): Receipt['action'] {
  return action === 'redacted' && proposal !== undefined ? 'proposed' : action;
}

function shownProposal({ proposal, nowMs }: ReceiptFacts): Pick<Receipt, 'proposal'> {
  return proposal === undefined ? {} : { proposal: showProposal(proposal, nowMs) };
}
