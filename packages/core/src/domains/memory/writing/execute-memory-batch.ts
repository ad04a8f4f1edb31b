/** `executeMemoryBatch`: executes up to 256 commands, all or none, once per idempotency key. */
import { knownNamespaces } from '../../../kernel/ports/known-callers.js';
import { sweepMemory } from '../retention/sweep-store.js';
import { exampleMillis, exampleScope, exampleVersion } from '../../../contract/example-values.js';
import {
  ensureNamespace,
  inBranch,
  type Namespace,
  namespaceOf,
} from '../../../kernel/access/namespace.js';
import type { ActingCredential } from '../../../kernel/access/principal.js';
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import type { ErrorCode } from '../../../contract/errors/catalogue.js';
import { BATCH_BYTES_MAX } from '../../../contract/limits.js';
import { CONTRACT_VERSION } from '../../../contract/version.js';
import { defineTenantOperation } from '../../../kernel/operation/define-operation.js';
import type { InputSchemas } from '../../../kernel/input/input-rules.js';
import type { TenantRequest } from '../../../kernel/operation/requests.js';
import { inputFirstChecks } from '../../../kernel/operation/orders-of-checks.js';
import { originalWith } from '../../../kernel/idempotency/original-of.js';
import { allOrFirstFailure } from '../../../storage/store/all-or-first-failure.js';
import { keyText } from '../../../storage/store/bytes.js';
import type { WriteTx } from '../../../storage/store/store.js';
import { BRANCH_SECONDS_DEFAULT, WRITING_IN_BRANCHES } from '../branch/branch-policy.js';
import {
  type BatchKey,
  findBatchReceipt,
  insertBatchReceipt,
  refuseErasedCommand,
  type StoredBatchReceipt,
} from '../record/receipt-store.js';
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
import { differingInBatch, type RefusedChange } from './differing-members.js';
import { leavesRevisions } from '../revision/history-write.js';
import { endedWith, type MemoryWrite, type Outcome, storeWrite } from './memory-write.js';
import {
  proposalIdOf,
  proposalOfReceipt,
  proposeChanges,
  type ProposedReceipt,
  requireReviewable,
} from './propose-changes.js';
import { showBatchReceipt } from './execute-memory-command.js';
import { authorOf } from '../documents/author-schema.js';
import { BatchFingerprint } from '../documents/normal-form.js';
import { BatchReceiptResponse, MemoryBatch } from '../documents/schema.js';

/** UTF-16 units of commands that are prepared before other work runs. */
const SLICE_UNITS = 65_536;

/** Each command sees the changes of those before it. */
export const executeMemoryBatch = defineTenantOperation({
  name: 'executeMemoryBatch',
  summary: 'Execute 1 to 256 memory commands, all or none, once per idempotency key.',
  example: {
    document: {
      ...exampleVersion,
      idempotency_key: 'import-1',
      commands: [
        {
          scope: exampleScope,
          operation: {
            type: 'create',
            record: {
              episode_type: 'Decision',
              content: { primary: 'Refund orders below 20 EUR without asking.' },
              event_time_millis: exampleMillis,
              tags: ['refunds'],
            },
          },
        },
        {
          scope: exampleScope,
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
      ],
    },
  },
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
  checks: inputFirstChecks,
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
    const known = knownNamespaces.of(runtime);
    const unknown = namespacesIn(writes).filter((each) => known?.has(each) !== true);

    const done = await runtime.store.transact((tx) => {
      const writer = request.confirm(tx);
      base?.require(tx, writer, nowMs);
      const receipt = findOriginalBatch(tx, { credential, ...key, writes, nowMs }, fingerprint);
      if (receipt !== undefined) {
        const id = proposalIdOf(credential, null, idempotencyKey);
        const proposal = proposalOfReceipt(tx, { tenantId, id }, receipt, nowMs);
        return { receipt, proposal, isReplay: true };
      }
      const waits = writes.some(({ namespace }) => awaitsReview(tx, namespace, writer));
      if (propose === true || waits) return undefined;
      // Before its values, which are sealed with the key of its owner.
      for (const namespace of unknown) ensureNamespace(tx, namespace);
      base?.prepare(tx, nowMs);
      const all = executeAll(tx, writes, { writer, nowMs });
      const outcomes = all.map(({ outcome }) => outcome);
      const made = { fingerprint, credentialId, committedAtMillis: nowMs, outcomes };
      insertBatchReceipt(tx, key, made);
      const ended = all.map((each) => each.ended);
      return { receipt: made, proposal: undefined, isReplay: false, ended };
    });
    if (done === undefined) return proposeBatch(request, input.document, { writes, fingerprint });
    const { receipt, proposal, isReplay, ended } = done;
    for (const namespace of unknown) known?.add(namespace);
    if (receipt.outcomes.some(leavesRevisions)) sweepMemory.of(runtime)();

    nameOutcomes(request, commands, { receipt, proposal, isReplay, ended });
    const shown = showBatchReceipt({ ...key, proposal, nowMs }, receipt);
    return { contract_version: CONTRACT_VERSION, receipt: shown };
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

/** What a command did, and which records it ended. */
interface Executed {
  readonly outcome: Outcome;
  readonly ended: readonly Outcome[];
}

/** Who executes a command, which one it is of its batch, and when. */
interface Execution {
  readonly writer: ActingCredential;
  readonly index: number;
  readonly nowMs: number;
}

/** Executes the commands in their order. Each reads where it can, though one before it fails. */
function executeAll(
  tx: WriteTx,
  writes: readonly NamespacedWrite[],
  by: Omit<Execution, 'index'>,
): Executed[] {
  return allOrFirstFailure(writes, (each, index) => execute(tx, each, { ...by, index }));
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
): Executed {
  const path = `${memberOf(index)}.operation`;
  const change = { namespace, operation, path, nowMs };
  const sources = requireSources(tx, writer, change);
  try {
    const planned = write(tx);
    const outcome = storeWrite(tx, namespace, planned, sources);
    traceIfAsked(tx, change, outcome);
    return { outcome, ended: endedWith(planned) };
  } catch (cause) {
    throw cause instanceof AgentkeepError ? refusalOf(cause, index) : cause;
  }
}

/** Returns the refusal of a command as its batch answers it: with the command before the member. */
function refusalOf(cause: AgentkeepError, index: number): AgentkeepError {
  const { code, members } = cause;
  const expected = expectedOf[code];
  if (members.length === 0 && expected === undefined) return cause;
  const own = members.map((each) => ({ ...each, path: `${memberOf(index)}.${each.path}` }));
  const whole = expected === undefined ? [] : [{ path: memberOf(index), expected }];
  return new AgentkeepError(code, { members: own.length > 0 ? own : whole, cause });
}

/** Proposes a batch of which some commands wait for review: all of them in one proposal. */
async function proposeBatch(
  request: TenantRequest<InputSchemas>,
  batch: MemoryBatch,
  outside: { readonly writes: readonly NamespacedWrite[]; readonly fingerprint: string },
) {
  const { credential, nowMs } = request;
  const { tenantId, spec } = credential;
  const { commands, idempotency_key: idempotencyKey } = batch;
  commands.forEach((command, index) => {
    requireReviewable(command, `${memberOf(index)}.`);
  });
  const id = proposalIdOf(credential, null, idempotencyKey);
  const placed = commands.map((each) => ({ ...each, scope: { ...each.scope, branch: id } }));
  const { writes } = await prepare(request, { ...batch, commands: placed });
  const { fingerprint } = outside;
  const key = { tenantId, subjectId: spec.subject_id, idempotencyKey };
  const of = { credential, ...key, writes: outside.writes, nowMs };
  let ended: Ended = [];
  const done = await proposeChanges<StoredBatchReceipt>(request, {
    id,
    changes: writes,
    purpose: null,
    seconds: BRANCH_SECONDS_DEFAULT,
    find: (tx) => findOriginalBatch(tx, of, fingerprint),
    run: (tx, writer) => {
      const all = executeAll(tx, writes, { writer, nowMs });
      const outcomes = all.map(({ outcome }) => outcome);
      ended = all.map((each) => each.ended);
      const by = { credentialId: credential.id, committedAtMillis: nowMs };
      const made = { fingerprint, ...by, outcomes, isProposed: true };
      insertBatchReceipt(tx, key, made);
      return made;
    },
  });
  nameOutcomes(request, commands, { ...done, ended });
  const receipt = showBatchReceipt({ ...key, proposal: done.proposal, nowMs }, done.receipt);
  return { contract_version: CONTRACT_VERSION, receipt };
}

/** For each command of a batch, the records that it ended. */
type Ended = readonly (readonly Outcome[])[];

function nameOutcomes(
  request: TenantRequest<InputSchemas>,
  commands: MemoryBatch['commands'],
  done: ProposedReceipt<StoredBatchReceipt> & { readonly ended?: Ended | undefined },
): void {
  const { receipt, proposal, isReplay, ended } = done;
  request.nameChanges(() => [
    ...receipt.outcomes.flatMap((outcome, index) => {
      const command = commands[index];
      if (command === undefined) return [];
      const { scope } = command;
      const where = proposal === undefined ? scope : { ...scope, branch: proposal.id };
      const before = isReplay ? [] : (ended?.[index] ?? []);
      return [...before, outcome].map((each) => auditedChange(where, each, isReplay));
    }),
    ...auditedWaiting(proposal, isReplay),
  ]);
}

/**
 * Returns the receipt of an earlier batch with the key, whether it took effect or waits.
 *
 * @throws {AgentkeepError} `idempotency_conflict`, `command_erased`
 */
function findOriginalBatch(
  tx: WriteTx,
  { credential, writes, nowMs, ...key }: BatchKey & KeyedWrites,
  fingerprint: string,
): StoredBatchReceipt | undefined {
  const original = originalWith(findBatchReceipt(tx, key), fingerprint, (first) => {
    if (first.isProposed !== true) return differingInBatch(tx, writes, first, nowMs);
    const id = proposalIdOf(credential, null, key.idempotencyKey);
    const placed = writes.map(({ namespace, operation }) => ({
      namespace: inBranch(namespace, id),
      operation,
    }));
    return differingInBatch(tx, placed, first, nowMs);
  });
  if (original !== undefined) return original;
  refuseErasedCommand(tx, key.tenantId, { namespace: null, ...key });
  return undefined;
}

interface KeyedWrites {
  readonly credential: ActingCredential;
  readonly writes: readonly NamespacedWrite[];
  readonly nowMs: number;
}

/** Returns each namespace once. */
function namespacesIn(writes: readonly NamespacedWrite[]): Namespace[] {
  const named = writes.map(({ namespace }) => [keyText(namespace.digest), namespace] as const);
  return [...new Map(named).values()];
}
