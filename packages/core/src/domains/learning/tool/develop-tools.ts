/** The operations that request the development of a tool, and record what happens to it. */
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { exampleSha256, inExampleScope } from '../../../contract/example-values.js';
import { CONTRACT_VERSION } from '../../../contract/version.js';
import { actorOf, isRepeat } from '../../../kernel/access/actor.js';
import { type Namespace, namespaceOf } from '../../../kernel/access/namespace.js';
import { originalOf } from '../../../kernel/idempotency/original-of.js';
import { defineTenantOperation } from '../../../kernel/operation/define-operation.js';
import { scopedChecks } from '../../../kernel/operation/orders-of-checks.js';
import type { ReadTx, WriteTx } from '../../../storage/store/store.js';
import { scopedOperation } from '../scoped-operation.js';
import { newArtifact, type Writing } from './artifact.js';
import { isTerminal } from './development-policy.js';
import {
  ToolCommandRequest,
  type ToolDevelopment,
  type ToolDevelopmentCommand,
  ToolDevelopmentCreate,
  type ToolDevelopmentEvent,
  ToolDevelopmentReceiptResponse,
  ToolEventResponse,
} from './development-schema.js';
import { type DevelopmentStep, newDevelopment, stepOf } from './development.js';
import type { ToolExecutor } from './schema.js';
import {
  findArtifact,
  findDevelopment,
  findDevelopmentEvent,
  findExecutor,
  insertArtifact,
  insertDevelopmentEvent,
  putDevelopment,
} from './tool-store.js';

/** Dispatches nothing. The executor reads the request by its id, in a scope that both share. */
export const requestToolDevelopment = defineTenantOperation({
  name: 'requestToolDevelopment',
  summary: 'Request the development or repair of a tool from an executor.',
  example: {
    document: {
      ...inExampleScope,
      request: {
        id: 'word-count',
        executor_id: 'builder',
        objective: 'Count the words of a text.',
      },
    },
  },
  tag: 'Tools',
  input: { document: ToolDevelopmentCreate },
  output: ToolDevelopmentReceiptResponse,
  requires: { capability: 'tool_develop', scope: ({ document }) => document.scope },
  checks: scopedChecks,
  deferred: 'request',
  errors: ['record_not_found', 'idempotency_conflict'],
  handler: async (call) => {
    // A repeat is found by the id, and compared with what is stored by the objective too.
    call.checkDeferred('request.id');
    call.checkDeferred('request.objective');
    const { runtime, credential, input, nowMs } = call;
    const { scope, request } = input.document;
    const namespace = namespaceOf(credential, scope);
    const actor = actorOf(credential);
    const receipt = await runtime.store.transact((tx) => {
      call.confirm(tx);
      // Another subject is a conflict.
      const original = originalOf(
        findDevelopment(tx, namespace, request.id),
        ({ receipt: known }) =>
          isRepeat({ actor: known.actor, document: known.request }, { actor, document: request }),
      );
      if (original !== undefined) return original.receipt;
      // An invalid id might not fit into a key.
      call.checkDeferred('request.executor_id');
      const executor = findExecutor(tx, namespace.tenantId, request.executor_id);
      if (executor === undefined) throw new AgentkeepError('record_not_found');
      call.checkDeferred();
      const { parent_artifact_id: parentId } = request;
      if (parentId !== null && findArtifact(tx, namespace, parentId) === undefined) {
        throw new AgentkeepError('record_not_found');
      }
      const development = newDevelopment(namespace, request, { actor, nowMs, executor });
      putDevelopment(tx, namespace, development);
      return development.receipt;
    });
    return { contract_version: CONTRACT_VERSION, receipt };
  },
});

/** Event, state and artifact commit together. A refused command stores nothing. */
export const recordToolDevelopmentEvent = defineTenantOperation({
  ...scopedOperation,
  name: 'recordToolDevelopmentEvent',
  summary: 'Report on the development of a tool, or ask to cancel it.',
  example: {
    document: {
      ...inExampleScope,
      request_id: 'word-count',
      command: {
        event_id: 'report-1',
        expected_revision: 1,
        action: {
          type: 'report',
          report: {
            executor_profile_digest: exampleSha256,
            outcome: 'succeeded',
            evidence_ref: 'log:1',
            artifact: {
              id: 'word-count-1',
              source: 'export const run = (text) => text.split(/\\s+/).length;\n',
              dependency_lock: '',
              runtime_image_digest:
                'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
              entrypoint: 'run',
              input_schema: { type: 'string' },
              output_schema: { type: 'integer' },
              source_refs: ['development:word-count'],
            },
          },
        },
      },
    },
  },
  tag: 'Tools',
  input: { document: ToolCommandRequest },
  output: ToolEventResponse,
  requires: {
    capability: {
      among: ['tool_report', 'tool_develop'],
      of: ({ document }) =>
        document.command.action.type === 'report' ? 'tool_report' : 'tool_develop',
    },
    scope: ({ document }) => document.scope,
  },
  deferred: 'command.action',
  errors: ['record_not_found', 'revision_conflict', 'idempotency_conflict'],
  handler: async (request) => {
    const { runtime, credential, input, nowMs } = request;
    const { scope, request_id: requestId, command } = input.document;
    const { action } = command;
    const namespace = namespaceOf(credential, scope);
    const actor = actorOf(credential);
    const proposal = action.type === 'report' ? action.report.artifact : null;
    const artifact = proposal && newArtifact(namespace, proposal, { actor, nowMs });

    const event = await runtime.store.transact((tx) => {
      request.confirm(tx);
      const development = findDevelopment(tx, namespace, requestId);
      if (development === undefined) throw new AgentkeepError('record_not_found');
      const executor = executorOf(tx, development);
      if (actor.subject_id !== boundSubject(command, development, executor)) {
        request.deny('subject');
      }
      const original = originalOf(
        findDevelopmentEvent(tx, namespace, requestId, command.event_id),
        (known) =>
          isRepeat({ actor: known.actor, document: known.command }, { actor, document: command }),
      );
      if (original !== undefined) return original;
      requireOpen(development, command);
      request.checkDeferred();
      const storedArtifact =
        artifact === null ? undefined : findArtifact(tx, namespace, artifact.proposal.id);
      const { profile } = executor;
      const step = stepOf(command, { development, profile, artifact, storedArtifact });
      return commit(tx, namespace, step, { command, actor, nowMs });
    });
    return { contract_version: CONTRACT_VERSION, event };
  },
});

/** Returns the executor of a development. Executors never change. */
function executorOf(tx: ReadTx, { receipt }: ToolDevelopment): ToolExecutor {
  const executor = findExecutor(tx, receipt.tenant, receipt.request.executor_id);
  if (executor?.profile_digest === receipt.executor_profile_digest) return executor;
  throw new AgentkeepError('storage_inconsistency');
}

/** Returns the only subject that may do this: the worker reports, the requester cancels. */
function boundSubject(
  { action }: ToolDevelopmentCommand,
  { receipt }: ToolDevelopment,
  { profile }: ToolExecutor,
): string {
  return action.type === 'report' ? profile.subject_id : receipt.actor.subject_id;
}

/** Checks the revision before the state, so that a late writer gets a revision conflict. */
function requireOpen(
  { revision, state }: ToolDevelopment,
  { expected_revision }: ToolDevelopmentCommand,
): void {
  if (expected_revision !== revision) throw new AgentkeepError('revision_conflict');
  if (isTerminal(state)) throw new AgentkeepError('idempotency_conflict');
}

function commit(
  tx: WriteTx,
  namespace: Namespace,
  { record, artifact }: DevelopmentStep,
  written: Writing & { readonly command: ToolDevelopmentCommand },
): ToolDevelopmentEvent {
  const { command, actor, nowMs } = written;
  const event: ToolDevelopmentEvent = {
    schema_version: 1,
    command,
    actor,
    record,
    recorded_at_millis: nowMs,
  };
  if (artifact !== undefined) insertArtifact(tx, namespace, artifact);
  putDevelopment(tx, namespace, record);
  insertDevelopmentEvent(tx, namespace, event);
  return event;
}
