/** Pages through the history of an attempt, frozen at the revision of the first page. */
import type { Namespace } from '../../../kernel/access/namespace.js';
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import type { ReadTx } from '../../../storage/store/store.js';
import { eventsInOrder, findEvent } from './experience-store.js';
import type {
  Experience,
  ExperienceHistoryCursor,
  ExperienceHistoryPage,
  ExperienceHistoryQuery,
} from './schema.js';

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
