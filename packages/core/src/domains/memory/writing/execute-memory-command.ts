/**
 * `executeMemoryCommand`: creates, updates or deletes one record, exactly once per idempotency key.
 */
import { knownNamespaces } from '../../../kernel/ports/known-namespaces.js';
import { sweepMemory } from '../retention/sweep-store.js';
import { exampleMillis, inExampleScope } from '../../../contract/example-values.js';
import { namespaceOf } from '../../../kernel/access/namespace.js';
import { ensureNamespace } from '../../../kernel/access/namespace-store.js';
import { defineTenantOperation } from '../../../kernel/operation/define-operation.js';
import { scopedChecks } from '../../../kernel/operation/orders-of-checks.js';
import { CONTRACT_VERSION } from '../../../contract/version.js';
import { WRITING_IN_BRANCHES } from '../branch/branch-policy.js';
import { awaitsReview } from './awaits-review.js';
import { branchBaseOf } from './branch-base.js';
import { auditedChange } from './audited-change.js';
import { freesSpace, writeOf } from './change-write.js';
import { leavesRevisions } from '../revision/history-write.js';
import { insertReceipt } from '../record/receipt-store.js';
import { endedWith, storeWrite } from './memory-write.js';
import { proposalIdOf, proposalOfReceipt } from './propose-changes.js';
import { findOriginal, proposeCommand } from './propose-command.js';
import { requireSources, traceIfAsked } from './required-sources.js';
import { showReceipt } from './show-receipt.js';
import { authorOf } from '../documents/author-schema.js';
import { fingerprintOf } from '../documents/normal-form.js';
import { MemoryCommand, ReceiptResponse } from '../documents/schema.js';

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
