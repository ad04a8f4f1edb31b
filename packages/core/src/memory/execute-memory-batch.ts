/** `executeMemoryBatch`: executes up to 256 commands, all or none, once per idempotency key. */
import { type Namespace, namespaceOf } from '../access/namespace.js';
import { ensureNamespace } from '../access/namespace-store.js';
import { AgentkeepError } from '../contract/errors/agentkeep-error.js';
import type { ErrorCode } from '../contract/errors/catalogue.js';
import { BATCH_BYTES_MAX } from '../contract/limits.js';
import { CONTRACT_VERSION } from '../contract/version.js';
import { defineTenantOperation } from '../runtime/define-operation.js';
import { decideReplay } from '../runtime/idempotency/replay-policy.js';
import { keyText } from '../storage/store/bytes.js';
import type { WriteTx } from '../storage/store/store.js';
import { findBatchReceipt, insertBatchReceipt } from './batch-receipt-store.js';
import { auditedChange } from './audited-change.js';
import { freesSpace, writeOf } from './change-write.js';
import { type MemoryWrite, type Outcome, storeWrite } from './memory-write.js';
import { fingerprintOfBatch } from './normal-form.js';
import { BatchReceiptResponse, MemoryBatch } from './schema.js';

/** Commands that are prepared before other work runs. */
const SLICE_COMMANDS = 32;

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
    capability: 'memory_write',
    scopes: ({ document }) => ({
      all: document.commands.map(({ scope }) => scope),
      memberOf: (index) => `${memberOf(index)}.scope`,
    }),
  },
  checks: ['document', 'version', 'rules', 'authority'],
  errors: [
    'invalid_request',
    'unsupported_contract_version',
    'forbidden',
    'record_not_found',
    'revision_conflict',
    'idempotency_conflict',
  ],
  handler: async (request) => {
    const { runtime, credential, input, nowMs } = request;
    const { commands, idempotency_key: idempotencyKey } = input.document;
    const { id: credentialId, tenantId, spec } = credential;
    const author = { credential_id: credentialId, subject_id: spec.subject_id };
    const changes = commands.map(({ scope, operation }) => ({
      namespace: namespaceOf(credential, scope),
      change: operation,
    }));
    const fingerprint = fingerprintOfBatch(changes);
    const writes: PlacedWrite[] = [];
    for (const { namespace, change } of changes) {
      if (writes.length % SLICE_COMMANDS === 0) await request.turn();
      const context = { namespace, author, newId: runtime.newId, nowMs };
      writes.push({ namespace, write: writeOf(change, context) });
    }
    const key = { tenantId, subjectId: spec.subject_id, idempotencyKey };
    const unknown = namespacesIn(writes).filter(
      (namespace) => runtime.knownNamespaces?.has(namespace) !== true,
    );

    let isReplay = false;
    const receipt = await runtime.store.transact((tx) => {
      request.confirm(tx);
      const decision = decideReplay(findBatchReceipt(tx, key), fingerprint);
      isReplay = decision.type === 'replay';
      if (decision.type === 'replay') return decision.receipt;
      if (decision.type === 'conflict') throw new AgentkeepError('idempotency_conflict');
      const outcomes = writes.map((each, index) => execute(tx, each, index));
      for (const namespace of unknown) ensureNamespace(tx, namespace);
      const made = { fingerprint, credentialId, committedAtMillis: nowMs, outcomes };
      insertBatchReceipt(tx, key, made);
      return made;
    });
    for (const namespace of unknown) runtime.knownNamespaces?.add(namespace);
    request.nameChanges(
      commands.flatMap(({ scope }, index) => {
        const outcome = receipt.outcomes[index];
        return outcome === undefined ? [] : [auditedChange(scope, outcome, isReplay)];
      }),
    );

    return {
      contract_version: CONTRACT_VERSION,
      receipt: {
        contract_version: CONTRACT_VERSION,
        idempotency_key: idempotencyKey,
        outcomes: receipt.outcomes.map(({ recordId, revision, action }) => ({
          record_id: recordId,
          revision,
          action,
        })),
        committed_at_millis: receipt.committedAtMillis,
        author: { credential_id: receipt.credentialId, subject_id: spec.subject_id },
      },
    };
  },
});

/** The prepared write of a command, and where it takes place. */
interface PlacedWrite {
  readonly namespace: Namespace;
  readonly write: MemoryWrite;
}

const memberOf = (index: number): string => `commands[${index}]`;

/** What a refused command should have met. */
const expectedOf: { readonly [C in ErrorCode]?: string } = {
  record_not_found: 'a current record',
  revision_conflict: 'the current revision',
};

/**
 * Executes one command.
 *
 * @throws {AgentkeepError} as its write does, with the command as the refused member.
 */
function execute(tx: WriteTx, { namespace, write }: PlacedWrite, index: number): Outcome {
  try {
    return storeWrite(tx, namespace, write(tx));
  } catch (cause) {
    const expected = cause instanceof AgentkeepError ? expectedOf[cause.code] : undefined;
    if (!(cause instanceof AgentkeepError) || expected === undefined) throw cause;
    throw new AgentkeepError(cause.code, { members: [{ path: memberOf(index), expected }], cause });
  }
}

/** Returns each namespace once. */
function namespacesIn(writes: readonly PlacedWrite[]): Namespace[] {
  const named = writes.map(({ namespace }) => [keyText(namespace.digest), namespace] as const);
  return [...new Map(named).values()];
}
