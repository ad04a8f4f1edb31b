/** `recordExperienceEvent`: records an observation by the reporter of an attempt. */
import { exampleSha256, inExampleScope } from '../../../contract/example-values.js';
import { type Actor, actorOf } from '../../../kernel/access/actor.js';
import { namespaceOf } from '../../../kernel/access/namespace.js';
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { originalOf } from '../../../kernel/idempotency/original-of.js';
import { defineTenantOperation } from '../../../kernel/operation/define-operation.js';
import { isSameDocument } from '../../../contract/schema/document-digest.js';
import { CONTRACT_VERSION } from '../../../contract/version.js';
import { scopedOperation } from '../scoped-operation.js';
import { observe } from './attempt.js';
import { findAttempt, findEvent, insertEvent, putAttempt } from './experience-store.js';
import {
  type ExperienceCommand,
  ExperienceCommandRequest,
  type ExperienceEvent,
  ExperienceEventResponse,
} from './schema.js';

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
        isRepeated(known, command, actor),
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

function isRepeated(known: ExperienceEvent, command: ExperienceCommand, actor: Actor): boolean {
  return known.actor.subject_id === actor.subject_id && isSameDocument(known.command, command);
}
