/** The operations that show experiences, their events and histories. */
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { inExampleScope } from '../../../contract/example-values.js';
import { CONTRACT_VERSION } from '../../../contract/version.js';
import { type Namespace, namespaceOf } from '../../../kernel/access/namespace.js';
import { defineTenantOperation } from '../../../kernel/operation/define-operation.js';
import type { ReadTx } from '../../../storage/store/store.js';
import { scopedOperation, scopedRead } from '../scoped-operation.js';
import { eventsInOrder, findAttempt, findEvent } from './experience-store.js';
import {
  type Experience,
  ExperienceEventRead,
  ExperienceEventResponse,
  type ExperienceHistoryCursor,
  type ExperienceHistoryPage,
  type ExperienceHistoryQuery,
  ExperienceHistoryRequest,
  ExperienceHistoryResponse,
  ExperienceRead,
  ExperienceResponse,
} from './schema.js';

/** Returns the state without its events; see `readExperienceHistory`. */
export const readExperience = defineTenantOperation({
  ...scopedRead,
  name: 'readExperience',
  summary: 'Read where an attempt stands.',
  example: { document: { ...inExampleScope, attempt_id: 'attempt-1' } },
  tag: 'Experiences',
  input: { document: ExperienceRead },
  output: ExperienceResponse,
  requires: { capability: 'experience_read', scope: ({ document }) => document.scope },
  handler: async ({ runtime, credential, input }) => {
    const { scope, attempt_id: id } = input.document;
    const namespace = namespaceOf(credential, scope);
    const experience = await runtime.store.read((tx) => findAttempt(tx, namespace, id));
    if (experience === undefined) throw new AgentkeepError('record_not_found');
    return { contract_version: CONTRACT_VERSION, experience };
  },
});

/** Events never change. */
export const readExperienceEvent = defineTenantOperation({
  ...scopedRead,
  name: 'readExperienceEvent',
  summary: 'Read an observation of an attempt, with the state after it.',
  example: { document: { ...inExampleScope, attempt_id: 'attempt-1', event_id: 'outcome-1' } },
  tag: 'Experiences',
  input: { document: ExperienceEventRead },
  output: ExperienceEventResponse,
  requires: { capability: 'experience_read', scope: ({ document }) => document.scope },
  handler: async ({ runtime, credential, input }) => {
    const { scope, attempt_id: attemptId, event_id: eventId } = input.document;
    const namespace = namespaceOf(credential, scope);
    const event = await runtime.store.read((tx) => findEvent(tx, namespace, attemptId, eventId));
    if (event === undefined) throw new AgentkeepError('record_not_found');
    return { contract_version: CONTRACT_VERSION, event };
  },
});

/** The cursor holds the whole state of the traversal. It grants no rights. */
export const readExperienceHistory = defineTenantOperation({
  ...scopedOperation,
  name: 'readExperienceHistory',
  summary: 'Read the observations of an attempt, frozen at the revision of the first page.',
  example: { document: { ...inExampleScope, attempt_id: 'attempt-1', query: { limit: 20 } } },
  tag: 'Experiences',
  effect: 'read',
  input: { document: ExperienceHistoryRequest },
  output: ExperienceHistoryResponse,
  requires: { capability: 'experience_read', scope: ({ document }) => document.scope },
  errors: ['record_not_found', 'idempotency_conflict'],
  isHeavy: true,
  handler: async ({ runtime, credential, input }) => {
    const { scope, attempt_id: attemptId, query } = input.document;
    const namespace = namespaceOf(credential, scope);
    const page = await runtime.store.read((tx) => {
      const attempt = findAttempt(tx, namespace, attemptId);
      if (attempt === undefined) throw new AgentkeepError('record_not_found');
      return historyPage(tx, namespace, attempt, query);
    });
    return { contract_version: CONTRACT_VERSION, page };
  },
});

/**
 * Returns a page of the history. Later events are examined and left out.
 *
 * @throws {AgentkeepError} `idempotency_conflict` for the cursor of another attempt,
 * `invalid_request` for one that names events which do not exist.
 */
export function historyPage(
  tx: ReadTx,
  namespace: Namespace,
  attempt: Experience,
  { limit, cursor }: ExperienceHistoryQuery,
): ExperienceHistoryPage {
  const { receipt } = attempt;
  const { id } = receipt.request;
  const throughId = cursor === null ? attempt.last_event_id : cursor.through_event_id;
  const throughRevision =
    cursor === null ? attempt.revision : revisionOf(tx, namespace, attempt, cursor);
  const after = cursor?.after_event_id;
  const examined = eventsInOrder(tx, namespace, id, { after, limit });
  const last = examined.length === limit ? examined.at(-1) : undefined;
  // Without events there is no cursor to continue from, and any limit exceeds the count.
  const next = last && {
    receipt_digest: receipt.receipt_digest,
    through_event_id: throughId,
    after_event_id: last.command.event_id,
  };
  return {
    receipt_digest: receipt.receipt_digest,
    through_revision: throughRevision,
    events: examined.filter(({ record }) => record.revision <= throughRevision),
    scanned_events: examined.length,
    next_cursor: next ?? null,
    complete: next === undefined,
  };
}

/** Returns the revision at which a traversal is frozen, from the event that its cursor names. */
function revisionOf(
  tx: ReadTx,
  namespace: Namespace,
  { receipt }: Experience,
  cursor: ExperienceHistoryCursor,
): number {
  if (cursor.receipt_digest !== receipt.receipt_digest) {
    throw new AgentkeepError('idempotency_conflict');
  }
  const { after_event_id: after, through_event_id: through } = cursor;
  const event = (eventId: string) => {
    const found = findEvent(tx, namespace, receipt.request.id, eventId);
    if (found === undefined) {
      throw new AgentkeepError('invalid_request', {
        members: [{ path: 'cursor', expected: 'events of this attempt' }],
      });
    }
    return found;
  };
  event(after);
  return through === null ? 1 : event(through).record.revision;
}
