/** The operations that register experiences and record their events. */
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { exampleSha256, inExampleScope } from '../../../contract/example-values.js';
import { CONTRACT_VERSION } from '../../../contract/version.js';
import { actorOf, isRepeat } from '../../../kernel/access/actor.js';
import { type Namespace, namespaceOf } from '../../../kernel/access/namespace.js';
import { originalOf } from '../../../kernel/idempotency/original-of.js';
import { defineTenantOperation } from '../../../kernel/operation/define-operation.js';
import type { ReadTx } from '../../../storage/store/store.js';
import { findContext } from '../policy/entry-store.js';
import { scopedOperation } from '../scoped-operation.js';
import { newAttempt, observe, type PinnedDigests } from './attempt.js';
import { findAttempt, findEvent, insertEvent, putAttempt } from './experience-store.js';
import {
  ExperienceCommandRequest,
  ExperienceCreate,
  ExperienceEventResponse,
  ExperienceReceiptResponse,
  type ExperienceRequest,
} from './schema.js';

/** Pins context and parent event by their digests, so later changes to either are detected. */
export const registerExperience = defineTenantOperation({
  ...scopedOperation,
  name: 'registerExperience',
  summary: 'Register an attempt in a learning context.',
  example: {
    document: {
      ...inExampleScope,
      request: {
        id: 'attempt-1',
        context_id: 'summaries-on-m1',
        reporter_subject_id: 'judge',
        accounting_unit: 'credit-v1',
        input: { reference: 'ticket:7801', sha256: exampleSha256 },
      },
    },
  },
  tag: 'Experiences',
  input: { document: ExperienceCreate },
  output: ExperienceReceiptResponse,
  requires: { capability: 'experience_write', scope: ({ document }) => document.scope },
  errors: ['record_not_found', 'idempotency_conflict'],
  handler: async (call) => {
    const { runtime, credential, input, nowMs } = call;
    const { scope, request } = input.document;
    const actor = actorOf(credential);
    // No other subject could ever see a private attempt.
    if (scope.visibility === 'private' && request.reporter_subject_id !== actor.subject_id) {
      const path = 'request.reporter_subject_id';
      const expected = 'the subject of the credential';
      throw new AgentkeepError('invalid_request', { members: [{ path, expected }] });
    }
    const namespace = namespaceOf(credential, scope);
    const receipt = await runtime.store.transact((tx) => {
      call.confirm(tx);
      const original = originalOf(findAttempt(tx, namespace, request.id), ({ receipt: known }) =>
        isRepeat({ actor: known.actor, document: known.request }, { actor, document: request }),
      );
      if (original !== undefined) return original.receipt;
      const attempt = newAttempt(namespace, request, {
        ...pinned(tx, namespace, request),
        actor,
        nowMs,
      });
      putAttempt(tx, namespace, attempt);
      return attempt.receipt;
    });
    return { contract_version: CONTRACT_VERSION, receipt };
  },
});

/** Returns whether request and subject match the known attempt. Another subject is a conflict. */
function pinned(
  tx: ReadTx,
  namespace: Namespace,
  { context_id, parent }: ExperienceRequest,
): PinnedDigests {
  const contextDigest = findContext(tx, namespace.tenantId, context_id)?.payloadDigest;
  if (contextDigest === undefined) throw new AgentkeepError('record_not_found');
  if (parent === null) return { contextDigest, parentEventDigest: null };
  const event = findEvent(tx, namespace, parent.attempt_id, parent.event_id);
  if (event === undefined) throw new AgentkeepError('record_not_found');
  return { contextDigest, parentEventDigest: event.event_digest };
}

/** Event and state commit together. A refused observation stores nothing. */
export const recordExperienceEvent = defineTenantOperation({
  ...scopedOperation,
  name: 'recordExperienceEvent',
  summary: 'Record an observation of an attempt, as its reporter.',
  example: {
    document: {
      ...inExampleScope,
      attempt_id: 'attempt-1',
      command: {
        event_id: 'outcome-1',
        expected_revision: 1,
        context_digest: exampleSha256,
        outcome: 'succeeded',
        evidence: { reference: 'log:1', sha256: exampleSha256 },
        cost_units: 3,
        latency_ms: 850,
      },
    },
  },
  tag: 'Experiences',
  input: { document: ExperienceCommandRequest },
  output: ExperienceEventResponse,
  requires: { capability: 'experience_report', scope: ({ document }) => document.scope },
  errors: ['record_not_found', 'revision_conflict', 'idempotency_conflict'],
  handler: async (request) => {
    const { runtime, credential, input, nowMs } = request;
    const { scope, attempt_id: attemptId, command } = input.document;
    const namespace = namespaceOf(credential, scope);
    const actor = actorOf(credential);
    const event = await runtime.store.transact((tx) => {
      request.confirm(tx);
      const attempt = findAttempt(tx, namespace, attemptId);
      if (attempt === undefined) throw new AgentkeepError('record_not_found');
      const { reporter_subject_id: reporter } = attempt.receipt.request;
      if (actor.subject_id !== reporter) request.deny('subject');
      const original = originalOf(findEvent(tx, namespace, attemptId, command.event_id), (known) =>
        isRepeat({ actor: known.actor, document: known.command }, { actor, document: command }),
      );
      if (original !== undefined) return original;
      if (command.expected_revision !== attempt.revision) {
        throw new AgentkeepError('revision_conflict');
      }
      const made = observe(attempt, command, { actor, nowMs });
      putAttempt(tx, namespace, made.record);
      insertEvent(tx, namespace, made);
      return made;
    });
    return { contract_version: CONTRACT_VERSION, event };
  },
});
