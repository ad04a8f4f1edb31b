/** `executeMemoryBatch`: executes up to 256 commands, all or none, once per idempotency key. */
import { type Namespace, namespaceOf } from '../../access/namespace.js';
import { ensureNamespace } from '../../access/namespace-store.js';
import type { ActingCredential } from '../../access/principal.js';
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import type { ErrorCode } from '../../contract/errors/catalogue.js';
import { BATCH_BYTES_MAX } from '../../contract/limits.js';
import { CONTRACT_VERSION } from '../../contract/version.js';
import { defineTenantOperation } from '../../runtime/operation/define-operation.js';
import type { InputSchemas } from '../../runtime/input/input-rules.js';
import type { TenantRequest } from '../../runtime/operation/requests.js';
import { originalWith } from '../../runtime/idempotency/original-of.js';
import { keyText } from '../../storage/store/bytes.js';
import type { WriteTx } from '../../storage/store/store.js';
import { refuseErasedCommand } from '../record/erased-receipt-store.js';
import { BRANCH_SECONDS_DEFAULT, WRITING_IN_BRANCHES } from '../branch/branch-policy.js';
import { showProposal } from '../branch/show-proposal.js';
import type { StoredBatchReceipt } from '../record/batch-receipt-layout.js';
import {
  type BatchKey,
  findBatchReceipt,
  insertBatchReceipt,
} from '../record/batch-receipt-store.js';
import { awaitsReview } from './awaits-review.js';
import { branchBaseOf } from './branch-base.js';
import { auditedChange } from './audited-change.js';
import { freesSpace, writeOf } from './change-write.js';
import { differingInBatch, type RefusedChange } from './differing-members.js';
import { leavesRevisions } from '../revision/history-write.js';
import { type MemoryWrite, type Outcome, storeWrite } from './memory-write.js';
import { proposalIdOf, proposeChanges, requireReviewable } from './propose-changes.js';
import { requireSources } from './required-sources.js';
import { traceIfAsked } from './start-trace.js';
import { authorOf } from '../documents/author-schema.js';
import { BatchFingerprint } from '../documents/normal-form.js';
import { type BatchReceipt, BatchReceiptResponse, MemoryBatch } from '../documents/schema.js';

/** UTF-16 units of commands that are prepared before other work runs. */
const SLICE_UNITS = 65_536;

/** Each command sees the changes of those before it. */
export const executeMemoryBatch = defineTenantOperation({
  name: 'executeMemoryBatch',
  summary: 'Execute 1 to 256 memory commands, all or none, once per idempotency key.',
  tag: 'Memory',
  input: { document: MemoryBatch },
  document: { bytesMax: BATCH_BYTES_MAX },
  isHeavy: true,
  whenFull: {
    of: ({ document }) => {
      const isFreeing = document.commands.every(({ operation }) => freesSpace(operation));
      return isFreeing ? 'served' : 'refused';
    },
  },
  output: BatchReceiptResponse,
  requires: {
    capability: {
      among: WRITING_IN_BRANCHES,
      of: ({ document: { commands, propose } }) =>
        propose === true || commands.every(({ scope }) => scope.branch !== undefined)
          ? WRITING_IN_BRANCHES
          : 'memory_write',
    },
    scopes: ({ document }) => ({
      all: document.commands.map(({ scope }) => scope),
      memberOf: (index) => `${memberOf(index)}.scope`,
    }),
  },
  checks: ['document', 'version', 'rules', 'authority'],
  errors: [
    ...(['record_not_found', 'revision_conflict', 'current_revision'] as const),
    ...(['idempotency_conflict', 'command_erased', 'branch_not_found'] as const),
    ...(['branch_closed', 'branch_limit'] as const),
  ],
  handler: async (request) => {
    const { runtime, credential, input, nowMs } = request;
    const { commands, idempotency_key: idempotencyKey, propose } = input.document;
    const { id: credentialId, tenantId, spec } = credential;
    const key = { tenantId, subjectId: spec.subject_id, idempotencyKey };
    const { writes, fingerprint } = await prepare(request, input.document);
    const base = await branchBaseOf(request, writes);
    const unknown = namespacesIn(writes).filter(
      (namespace) => runtime.knownNamespaces?.has(namespace) !== true,
    );

    const done = await runtime.store.transact((tx) => {
      const writer = request.confirm(tx);
      base?.require(tx, writer, nowMs);
      const original = originalWith(findBatchReceipt(tx, key), fingerprint, (first) =>
        differingInBatch(tx, writes, first, nowMs),
      );
      if (original !== undefined) return { receipt: original, isReplay: true };
      refuseErasedCommand(tx, tenantId, { namespace: null, ...key });
      const waits = writes.some(({ namespace }) => awaitsReview(tx, namespace, writer));
      if (propose === true || waits) return undefined;
      // Before its values, which are sealed with the key of its owner.
      for (const namespace of unknown) ensureNamespace(tx, namespace);
      base?.prepare(tx, nowMs);
      const outcomes = writes.map((each, index) => execute(tx, each, { writer, index, nowMs }));
      const made = { fingerprint, credentialId, committedAtMillis: nowMs, outcomes };
      insertBatchReceipt(tx, key, made);
      return { receipt: made, isReplay: false };
    });
    if (done === undefined) return proposeBatch(request, input.document);
    const { receipt, isReplay } = done;
    for (const namespace of unknown) runtime.knownNamespaces?.add(namespace);
    if (receipt.outcomes.some(leavesRevisions)) runtime.sweepMemory();

    request.nameChanges(() =>
      receipt.outcomes.flatMap((outcome, index) => {
        const command = commands[index];
        return command === undefined ? [] : [auditedChange(command.scope, outcome, isReplay)];
      }),
    );
    return { contract_version: CONTRACT_VERSION, receipt: shownReceipt(key, receipt) };
  },
});

/** A command with its prepared write. */
interface NamespacedWrite extends RefusedChange {
  readonly write: MemoryWrite;
}

/** Prepares the commands in slices. */
async function prepare(
  request: TenantRequest<InputSchemas>,
  { commands, idempotency_key: idempotencyKey }: MemoryBatch,
): Promise<{ readonly writes: readonly NamespacedWrite[]; readonly fingerprint: string }> {
  const { runtime, credential, nowMs } = request;
  const author = authorOf(credential);
  const fingerprint = new BatchFingerprint();
  const writes: NamespacedWrite[] = [];
  let units = 0;
  for (const { scope, operation } of commands) {
    if (units >= SLICE_UNITS) {
      await request.turn();
      units = 0;
    }
    const namespace = namespaceOf(credential, scope);
    units += fingerprint.add(namespace, operation);
    const context = { namespace, author, idempotencyKey, newId: runtime.newId, nowMs };
    writes.push({ namespace, operation, write: writeOf(operation, context) });
  }
  return { writes, fingerprint: fingerprint.digest() };
}

const memberOf = (index: number): string => `commands[${index}]`;

/** What a refused command should have met. */
const expectedOf: { readonly [C in ErrorCode]?: string } = {
  record_not_found: 'a current record',
  revision_conflict: 'the current revision',
  current_revision: 'a revision that was superseded',
};

/** Who executes a command, which one it is of its batch, and when. */
interface Execution {
  readonly writer: ActingCredential;
  readonly index: number;
  readonly nowMs: number;
}

/**
 * Executes one command.
 *
 * @throws {AgentkeepError} as its write does, with the command as the refused member.
 */
function execute(
  tx: WriteTx,
  { namespace, operation, write }: NamespacedWrite,
  { writer, index, nowMs }: Execution,
): Outcome {
  const path = `${memberOf(index)}.operation`;
  const change = { namespace, operation, path, nowMs };
  const sources = requireSources(tx, writer, change);
  try {
    const outcome = storeWrite(tx, namespace, write(tx), sources);
    traceIfAsked(tx, change, outcome);
    return outcome;
  } catch (cause) {
    const expected = cause instanceof AgentkeepError ? expectedOf[cause.code] : undefined;
    if (!(cause instanceof AgentkeepError) || expected === undefined) throw cause;
    throw new AgentkeepError(cause.code, { members: [{ path: memberOf(index), expected }], cause });
  }
}

/** Proposes a batch of which some commands wait for review: all of them in one proposal. */
async function proposeBatch(request: TenantRequest<InputSchemas>, batch: MemoryBatch) {
  const { credential, nowMs } = request;
  const { commands, idempotency_key: idempotencyKey } = batch;
  commands.forEach((command, index) => {
    requireReviewable(command, `${memberOf(index)}.`);
  });
  const id = proposalIdOf(credential, null, idempotencyKey);
  const placed = commands.map((each) => ({ ...each, scope: { ...each.scope, branch: id } }));
  const { writes, fingerprint } = await prepare(request, { ...batch, commands: placed });
  const { proposal, isReplay } = await proposeChanges(request, {
    id,
    changes: writes,
    fingerprint,
    purpose: null,
    seconds: BRANCH_SECONDS_DEFAULT,
    run: (tx, writer) => writes.map((each, index) => execute(tx, each, { writer, index, nowMs })),
  });
  const outcomes = proposal.outcomes.map(([recordId, revision, action]) => ({
    recordId,
    revision,
    action,
  }));
  request.nameChanges(() =>
    outcomes.flatMap((outcome, index) => {
      const command = placed[index];
      return command === undefined ? [] : [auditedChange(command.scope, outcome, isReplay)];
    }),
  );
  const { proposedAtMillis: committedAtMillis, author } = proposal;
  const key = { subjectId: author.subject_id, idempotencyKey };
  const made = { outcomes, committedAtMillis, credentialId: author.credential_id };
  const receipt = { ...shownReceipt(key, made), proposal: showProposal(proposal, nowMs) };
  return { contract_version: CONTRACT_VERSION, receipt };
}

/** Returns each namespace once. */
function namespacesIn(writes: readonly NamespacedWrite[]): Namespace[] {
  const named = writes.map(({ namespace }) => [keyText(namespace.digest), namespace] as const);
  return [...new Map(named).values()];
}

function shownReceipt(
  { subjectId, idempotencyKey }: Omit<BatchKey, 'tenantId'>,
  { outcomes, committedAtMillis, credentialId }: Omit<StoredBatchReceipt, 'fingerprint'>,
): BatchReceipt {
  return {
    contract_version: CONTRACT_VERSION,
    idempotency_key: idempotencyKey,
    outcomes: outcomes.map(({ recordId, revision, action }) => ({
      record_id: recordId,
      revision,
      action,
    })),
    committed_at_millis: committedAtMillis,
    author: { credential_id: credentialId, subject_id: subjectId },
  };
}
