/** `registerExperience`: announces an attempt in a learning context and names its reporter. */
import { exampleSha256, inExampleScope } from '../../../contract/example-values.js';
import { type Actor, actorOf } from '../../../kernel/access/actor.js';
import { type Namespace, namespaceOf } from '../../../kernel/access/namespace.js';
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { originalOf } from '../../../kernel/idempotency/original-of.js';
import { findContext } from '../policy/entry-store.js';
import { defineTenantOperation } from '../../../kernel/operation/define-operation.js';
import { isSameDocument } from '../../../contract/schema/document-digest.js';
import type { ReadTx } from '../../../storage/store/store.js';
import { CONTRACT_VERSION } from '../../../contract/version.js';
import { scopedOperation } from '../scoped-operation.js';
import { newAttempt, type PinnedDigests } from './attempt.js';
import { findAttempt, findEvent, putAttempt } from './experience-store.js';
import {
  ExperienceCreate,
  type ExperienceReceipt,
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
      const original = originalOf(findAttempt(tx, namespace, request.id), (known) =>
        isRepeated(known.receipt, request, actor),
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
function isRepeated(known: ExperienceReceipt, request: ExperienceRequest, actor: Actor): boolean {
  return known.actor.subject_id === actor.subject_id && isSameDocument(known.request, request);
}

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
