/** Proposes one command, and shows its receipt. */
import { namespaceOf } from '../../access/namespace.js';
import type { MemoryScope } from '../../access/scope.js';
import { CONTRACT_VERSION } from '../../contract/version.js';
import type { InputSchemas } from '../../runtime/input/input-rules.js';
import type { TenantRequest } from '../../runtime/operation/requests.js';
import { BRANCH_SECONDS_DEFAULT } from '../branch/branch-policy.js';
import type { KeyedProposal } from '../branch/proposal-store.js';
import { showProposal } from '../branch/show-proposal.js';
import { authorOf } from '../documents/author-schema.js';
import { fingerprintOf } from '../documents/normal-form.js';
import type { MemoryChange, Receipt } from '../documents/schema.js';
import { auditedChange } from './audited-change.js';
import { writeOf } from './change-write.js';
import { storeWrite } from './memory-write.js';
import { proposalIdOf, proposeChanges, requireReviewable } from './propose-changes.js';
import { requireSources } from './required-sources.js';

/** A command to propose. */
export interface ProposedCommand {
  readonly idempotency_key: string;
  readonly scope: MemoryScope;
  readonly operation: MemoryChange;
  readonly purpose?: string | null;
  readonly expires_in_seconds?: number;
}

/**
 * Proposes a command.
 *
 * @throws {AgentkeepError} as `proposeChanges()` and the command do
 */
export async function proposeCommand(
  request: TenantRequest<InputSchemas>,
  command: ProposedCommand,
): Promise<Receipt> {
  const { runtime, credential, nowMs } = request;
  const { idempotency_key: idempotencyKey, scope, operation, purpose = null } = command;
  const { expires_in_seconds: seconds = BRANCH_SECONDS_DEFAULT } = command;
  requireReviewable({ scope, operation }, '');
  const id = proposalIdOf(credential, namespaceOf(credential, scope).parts, idempotencyKey);
  const where = { ...scope, branch: id };
  const namespace = namespaceOf(credential, where);
  const author = authorOf(credential);
  const { newId } = runtime;
  const write = writeOf(operation, { namespace, author, idempotencyKey, newId, nowMs });
  const { proposal, isReplay } = await proposeChanges(request, {
    id,
    changes: [{ namespace, operation }],
    fingerprint: fingerprintOf(operation),
    purpose,
    seconds,
    run: (tx, writer) => {
      request.checkDeferred();
      const change = { namespace, operation, path: 'operation', nowMs };
      const sources = requireSources(tx, writer, change);
      return [storeWrite(tx, namespace, write(tx), sources)];
    },
  });
  const receipt = receiptOf(proposal, idempotencyKey, nowMs);
  request.nameChanges(() => {
    const { record_id: recordId, revision, action } = receipt;
    return [auditedChange(where, { recordId, revision, action }, isReplay)];
  });
  return receipt;
}

function receiptOf(proposal: KeyedProposal, idempotencyKey: string, nowMs: number): Receipt {
  const [outcome] = proposal.outcomes;
  if (outcome === undefined) throw new TypeError('A proposed command has an outcome.');
  const [record_id, revision, action] = outcome;
  return {
    contract_version: CONTRACT_VERSION,
    idempotency_key: idempotencyKey,
    record_id,
    revision,
    action,
    committed_at_millis: proposal.proposedAtMillis,
    author: proposal.author,
    proposal: showProposal(proposal, nowMs),
  };
}
