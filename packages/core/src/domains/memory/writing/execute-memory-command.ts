/**
 * `executeMemoryCommand`: creates, updates or deletes one record, or proposes it, exactly once per
 * idempotency key, and answers with its receipt.
 */
import { exampleMillis, inExampleScope } from '../../../contract/example-values.js';
import { CONTRACT_VERSION } from '../../../contract/version.js';
import {
  ensureNamespace,
  inBranch,
  type Namespace,
  namespaceOf,
} from '../../../kernel/access/namespace.js';
import type { ActingCredential } from '../../../kernel/access/principal.js';
import type { MemoryScope } from '../../../kernel/access/scope.js';
import { originalWith } from '../../../kernel/idempotency/original-of.js';
import type { InputSchemas } from '../../../kernel/input/input-rules.js';
import { defineTenantOperation } from '../../../kernel/operation/define-operation.js';
import { scopedChecks } from '../../../kernel/operation/orders-of-checks.js';
import type { TenantRequest } from '../../../kernel/operation/requests.js';
import { knownNamespaces } from '../../../kernel/ports/known-callers.js';
import type { WriteTx } from '../../../storage/store/store.js';
import { BRANCH_SECONDS_DEFAULT, WRITING_IN_BRANCHES } from '../branch/branch-policy.js';
import type { KeyedProposal } from '../branch/proposal-store.js';
import { showProposal } from '../branch/show-proposal.js';
import { authorOf } from '../documents/author-schema.js';
import { fingerprintOf } from '../documents/normal-form.js';
import {
  type BatchReceipt,
  type MemoryChange,
  MemoryCommand,
  type Receipt,
  ReceiptResponse,
} from '../documents/schema.js';
import {
  findReceipt,
  insertReceipt,
  refuseErasedCommand,
  type StoredBatchReceipt,
  type StoredReceipt,
} from '../record/receipt-store.js';
import { sweepMemory } from '../retention/sweep-store.js';
import { leavesRevisions } from '../revision/history-write.js';
import { branchBaseOf } from './branch-base.js';
import {
  auditedChange,
  auditedWaiting,
  awaitsReview,
  freesSpace,
  requireSources,
  traceIfAsked,
  writeOf,
} from './change-write.js';
import { differingMembers } from './differing-members.js';
import { endedWith, type Outcome, storeWrite } from './memory-write.js';
import {
  proposalIdOf,
  proposalOfReceipt,
  proposeChanges,
  requireReviewable,
} from './propose-changes.js';

/** Record, search entry and receipt change in one commit. */
export const executeMemoryCommand = defineTenantOperation({
  name: 'executeMemoryCommand',
  summary: 'Create, update or delete one record of a scope, once per idempotency key.',
  example: {
    document: {
      ...inExampleScope,
      idempotency_key: 'ticket-7801',
      operation: {
        type: 'put',
        name: 'refund policy',
        record: {
          episode_type: 'Decision',
          content: { primary: 'Refund orders below 20 EUR without asking.' },
          event_time_millis: exampleMillis,
          tags: ['refunds'],
        },
      },
    },
  },
  tag: 'Memory',
  input: { document: MemoryCommand },
  whenFull: {
    of: ({ document }) => (freesSpace(document.operation) ? 'served' : 'refused'),
  },
  output: ReceiptResponse,
  requires: {
    capability: {
      among: WRITING_IN_BRANCHES,
      of: ({ document }) =>
        document.scope.branch === undefined ? 'memory_write' : WRITING_IN_BRANCHES,
    },
    scope: ({ document }) => document.scope,
  },
  checks: scopedChecks,
  deferred: 'operation',
  errors: [
    ...(['record_not_found', 'revision_conflict', 'current_revision'] as const),
    ...(['idempotency_conflict', 'command_erased', 'branch_not_found'] as const),
    ...(['branch_closed', 'branch_limit'] as const),
  ],
  handler: async (request) => {
    const { runtime, credential, input, nowMs } = request;
    const { scope, operation, idempotency_key: idempotencyKey } = input.document;
    const { id: credentialId, spec } = credential;
    const namespace = namespaceOf(credential, scope);
    const author = authorOf(credential);
    const fingerprint = fingerprintOf(operation);
    const { newId } = runtime;
    const write = writeOf(operation, { namespace, author, idempotencyKey, newId, nowMs });
    const command = { subjectId: spec.subject_id, idempotencyKey };

    // An `await` costs a turn of the queue even if nothing has to wait.
    const opening = branchBaseOf(request, [{ namespace, operation }]);
    const base = opening === undefined ? undefined : await opening;
    const known = knownNamespaces.of(runtime);
    const isKnown = known?.has(namespace) === true;

    const done = await runtime.store.transact((tx) => {
      const writer = request.confirm(tx);
      base?.require(tx, writer, nowMs);
      const of = { credential, outside: namespace, operation, ...command, nowMs };
      const receipt = findOriginal(tx, of, fingerprint);
      if (receipt !== undefined) {
        const id = proposalIdOf(credential, namespace.parts, idempotencyKey);
        const { tenantId } = namespace;
        const proposal = proposalOfReceipt(tx, { tenantId, id }, receipt, nowMs);
        return { receipt, proposal, isReplay: true };
      }
      if (awaitsReview(tx, namespace, writer)) return undefined;
      request.checkDeferred();
      // Before its values, which are sealed with the key of its owner.
      if (!isKnown) ensureNamespace(tx, namespace);
      base?.prepare(tx, nowMs);
      const change = { namespace, operation, path: 'operation', nowMs };
      const sources = requireSources(tx, writer, change);
      const planned = write(tx);
      const outcome = storeWrite(tx, namespace, planned, sources);
      traceIfAsked(tx, change, outcome);
      const made = { fingerprint, credentialId, ...outcome };
      insertReceipt(tx, namespace, command, made);
      const ended = endedWith(planned);
      return { receipt: made, proposal: undefined, isReplay: false, ended };
    });
    if (done === undefined) {
      const proposed = await proposeCommand(request, input.document);
      return { contract_version: CONTRACT_VERSION, receipt: proposed };
    }
    const { receipt, proposal, isReplay, ended = [] } = done;
    if (!isKnown) known?.add(namespace);
    if (leavesRevisions(receipt)) sweepMemory.of(runtime)();
    const where = proposal === undefined ? scope : { ...scope, branch: proposal.id };
    request.nameChanges(() =>
      [...ended, receipt].map((each) => auditedChange(where, each, isReplay)),
    );

    return {
      contract_version: CONTRACT_VERSION,
      receipt: showReceipt({ ...command, proposal, nowMs }, receipt),
    };
  },
});

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
  const outside = namespaceOf(credential, scope);
  const id = proposalIdOf(credential, outside.parts, idempotencyKey);
  const where = { ...scope, branch: id };
  const namespace = namespaceOf(credential, where);
  const { newId } = runtime;
  const author = authorOf(credential);
  const write = writeOf(operation, { namespace, author, idempotencyKey, newId, nowMs });
  const key = { subjectId: credential.spec.subject_id, idempotencyKey };
  const fingerprint = fingerprintOf(operation);
  let ended: readonly Outcome[] = [];
  const { receipt, proposal, isReplay } = await proposeChanges<StoredReceipt>(request, {
    id,
    changes: [{ namespace, operation }],
    purpose,
    seconds,
    find: (tx) => findOriginal(tx, { credential, outside, operation, ...key, nowMs }, fingerprint),
    run: (tx, writer) => {
      request.checkDeferred();
      const change = { namespace, operation, path: 'operation', nowMs };
      const sources = requireSources(tx, writer, change);
      const planned = write(tx);
      const outcome = storeWrite(tx, namespace, planned, sources);
      ended = endedWith(planned);
      const made = { fingerprint, credentialId: credential.id, ...outcome, isProposed: true };
      ensureNamespace(tx, outside);
      insertReceipt(tx, outside, key, made);
      return made;
    },
  });
  request.nameChanges(() => [
    ...[...(isReplay ? [] : ended), receipt].map((each) =>
      auditedChange(proposal === undefined ? scope : where, each, isReplay),
    ),
    ...auditedWaiting(proposal, isReplay),
  ]);
  return showReceipt({ ...key, proposal, nowMs }, receipt);
}

/** A command outside of branches, and its key. */
interface KeyedCommand {
  readonly credential: ActingCredential;
  readonly outside: Namespace;
  readonly operation: MemoryChange;
  readonly subjectId: string;
  readonly idempotencyKey: string;
  readonly nowMs: number;
}

/**
 * Returns the receipt of an earlier call with the key of a command, which took effect or waits.
 *
 * @throws {AgentkeepError} `idempotency_conflict`, `command_erased`
 */
function findOriginal(
  tx: WriteTx,
  { credential, outside, operation, subjectId, idempotencyKey, nowMs }: KeyedCommand,
  fingerprint: string,
): StoredReceipt | undefined {
  const known = findReceipt(tx, outside, subjectId, idempotencyKey);
  const original = originalWith(known, fingerprint, (first) => {
    const namespace =
      first.isProposed === true
        ? inBranch(outside, proposalIdOf(credential, outside.parts, idempotencyKey))
        : outside;
    return differingMembers(tx, { namespace, operation }, first, nowMs);
  });
  if (original !== undefined) return original;
  const { tenantId, digest } = outside;
  refuseErasedCommand(tx, tenantId, { namespace: digest, subjectId, idempotencyKey });
  return undefined;
}

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

/** A proposed redaction shows as a proposal, because it removes nothing before the merge. */
function shownAction(
  action: StoredReceipt['action'],
  { proposal }: ReceiptFacts,
): Receipt['action'] {
  return action === 'redacted' && proposal !== undefined ? 'proposed' : action;
}

function shownProposal({ proposal, nowMs }: ReceiptFacts): Pick<Receipt, 'proposal'> {
  return proposal === undefined ? {} : { proposal: showProposal(proposal, nowMs) };
}
