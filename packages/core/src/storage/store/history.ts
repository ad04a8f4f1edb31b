/** Histories: one event for each revision of a resource, from 1 on. */
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';

/**
 * Returns the events of a resource at a revision.
 *
 * @throws {AgentkeepError} `storage_inconsistency` when there is not one event for each revision.
 */
export function completeHistory<E extends { readonly revision: number }>(
  events: E[],
  revision: number,
): E[] {
  const isComplete = events.every((event, index) => event.revision === index + 1);
  if (!isComplete || events.length !== revision) throw new AgentkeepError('storage_inconsistency');
  return events;
}
